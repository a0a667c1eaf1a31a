/* What the program's Swift side offers: see Sources/SwiftSide. */
#pragma once

void swift_side_count_primes (int limit, void (*answer) (int count, void *data), void *data);
/* Until `tick` returns 0. */
void swift_side_start_ticking (int (*tick) (void *data), void *data);
void swift_side_dispatch (void (*work) (void *data), void *data);
