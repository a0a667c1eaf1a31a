#include "BenchSupport.h"

char peer_name[64], peer_workload[64], peer_params[256];
