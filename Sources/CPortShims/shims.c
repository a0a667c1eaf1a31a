#include "CPortShims.h"
