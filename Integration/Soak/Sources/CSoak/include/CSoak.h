// What Swift's Glibc module lacks.
#pragma once
#include <malloc.h>

// How many bytes are allocated, whoever holds them. 0 under a sanitizer, which has an allocator of its own.
static inline long soak_allocated(void) {
  struct mallinfo2 info = mallinfo2();
  return (long)(info.uordblks + info.hblkhd);
}
