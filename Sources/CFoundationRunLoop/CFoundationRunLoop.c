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
extern CFTypeRef CFStringCreateWithCString(CFTypeRef allocator, const char *text, uint32_t encoding);
extern CFTypeRef CFCopyDescription(CFTypeRef object);
extern long CFStringGetLength(CFTypeRef string);
extern unsigned char CFStringGetCString(CFTypeRef string, char *buffer, long size, uint32_t encoding);
extern void CFRelease(CFTypeRef object);

const void *cfrl_common_mode(const char *name) {
  CFTypeRef mode = CFStringCreateWithCString(NULL, name, kCFStringEncodingUTF8);
  CFRunLoopAddCommonMode(CFRunLoopGetMain(), mode);
  return mode;
}

// The loop's description says it: "… name = MODE, port set = 0x2a, …". There is no other way to ask.
static int described_descriptor(const char *description, const char *name) {
  char wanted[256];
  snprintf(wanted, sizeof wanted, "{name = %s, port set = 0x", name);
  const char *found = strstr(description, wanted);
  return found ? (int)strtol(found + strlen(wanted), NULL, 16) : -1;
}

static bool is_epoll(int descriptor) {
  char path[64], target[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(path, target, sizeof target - 1);
  if (length < 0) return false;
  target[length] = 0;
  return strcmp(target, "anon_inode:[eventpoll]") == 0;
}

int cfrl_mode_descriptor(const char *name) {
  CFTypeRef description = CFCopyDescription(CFRunLoopGetMain());
  long size = CFStringGetLength(description) * 4 + 1;
  char *text = malloc((size_t)size);
  int descriptor = -1;
  if (text && CFStringGetCString(description, text, size, kCFStringEncodingUTF8)) {
    descriptor = described_descriptor(text, name);
  }
  free(text);
  CFRelease(description);
  return descriptor >= 0 && is_epoll(descriptor) ? descriptor : -1;
}

void cfrl_turn(const void *mode) { CFRunLoopRunInMode(mode, 0, false); }

bool cfrl_is_current(void) { return CFRunLoopGetCurrent() == CFRunLoopGetMain(); }
