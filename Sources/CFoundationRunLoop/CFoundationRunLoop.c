#define _GNU_SOURCE
#include "CFoundationRunLoop.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// As Core Foundation's headers have them; libFoundation.so exports them.
typedef const void *CFTypeRef;
enum { kCFStringEncodingUTF8 = 0x08000100 };
extern CFTypeRef CFRunLoopGetMain(void);
extern CFTypeRef CFRunLoopGetCurrent(void);
extern void CFRunLoopAddCommonMode(CFTypeRef loop, CFTypeRef mode);
extern int32_t CFRunLoopRunInMode(CFTypeRef mode, double seconds, unsigned char returnAfterSourceHandled);
extern CFTypeRef CFStringCreateWithBytes(
    CFTypeRef allocator, const unsigned char *bytes, long count, uint32_t encoding, unsigned char hasMark);
extern CFTypeRef CFCopyDescription(CFTypeRef object);
extern long CFStringGetLength(CFTypeRef string);
typedef struct {
  long location, length;
} CFRange;
extern long CFStringGetBytes(
    CFTypeRef string, CFRange range, uint32_t encoding, unsigned char loss, unsigned char hasMark,
    unsigned char *buffer, long capacity, long *count);
extern void CFRelease(CFTypeRef object);

const void *cfrl_common_mode(const char *name, long length) {
  CFTypeRef mode = CFStringCreateWithBytes(NULL, (const unsigned char *)name, length, kCFStringEncodingUTF8, false);
  if (mode) CFRunLoopAddCommonMode(CFRunLoopGetMain(), mode);
  return mode;
}

// The loop's description says it: "… {name = MODE, port set = 0x2a, …". There is no other way to ask.
static int described_descriptor(const char *description, long count, const char *name, long length) {
  static const char before[] = "{name = ", after[] = ", port set = 0x";
  long head = sizeof before - 1, tail = sizeof after - 1;
  char *wanted = malloc((size_t)(head + length + tail));
  if (!wanted) return -1;
  memcpy(wanted, before, (size_t)head);
  memcpy(wanted + head, name, (size_t)length);
  memcpy(wanted + head + length, after, (size_t)tail);
  // The description ends with a zero.
  const char *found = memmem(description, (size_t)count, wanted, (size_t)(head + length + tail));
  int descriptor = found ? (int)strtol(found + head + length + tail, NULL, 16) : -1;
  free(wanted);
  return descriptor;
}

static bool is_epoll(int descriptor) {
  char path[64], target[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(path, target, sizeof target - 1);
  if (length < 0) return false;
  target[length] = 0;
  return strcmp(target, "anon_inode:[eventpoll]") == 0;
}

int cfrl_mode_descriptor(const char *name, long length) {
  CFTypeRef description = CFCopyDescription(CFRunLoopGetMain());
  CFRange all = {0, CFStringGetLength(description)};
  long count = 0;
  CFStringGetBytes(description, all, kCFStringEncodingUTF8, '?', false, NULL, 0, &count);
  char *text = malloc((size_t)count + 1);
  int descriptor = -1;
  if (text) {
    CFStringGetBytes(description, all, kCFStringEncodingUTF8, '?', false, (unsigned char *)text, count, &count);
    text[count] = 0;
    descriptor = described_descriptor(text, count, name, length);
  }
  free(text);
  CFRelease(description);
  return descriptor >= 0 && is_epoll(descriptor) ? descriptor : -1;
}

void cfrl_turn(const void *mode) { CFRunLoopRunInMode(mode, 0, false); }

bool cfrl_is_current(void) { return CFRunLoopGetCurrent() == CFRunLoopGetMain(); }
