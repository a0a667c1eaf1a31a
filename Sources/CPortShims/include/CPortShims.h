#ifndef C_PORT_SHIMS_H
#define C_PORT_SHIMS_H
#endif
