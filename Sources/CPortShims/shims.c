#define _GNU_SOURCE
#include "CPortShims.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

int gps_socket(void) { return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0); }

int gps_set_non_blocking(int socket) { return fcntl(socket, F_SETFL, O_NONBLOCK); }

static socklen_t make_address(struct sockaddr_un *address, const void *name, size_t length, bool is_abstract) {
  size_t start = is_abstract ? 1 : 0;
  // A path keeps its zero at the end.
  if (length + 1 > sizeof(address->sun_path)) return 0;
  memset(address, 0, sizeof(*address));
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path + start, name, length);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
}

int gps_bind(int socket, const void *name, size_t length, bool is_abstract) {
  struct sockaddr_un address;
  socklen_t size = make_address(&address, name, length, is_abstract);
  if (size == 0) {
    errno = ENAMETOOLONG;
    return -1;
  }
  return bind(socket, (struct sockaddr *)&address, size);
}

int gps_connect(int socket, const void *name, size_t length, bool is_abstract, int64_t limit) {
  struct sockaddr_un address;
  socklen_t size = make_address(&address, name, length, is_abstract);
  if (size == 0) {
    errno = ENAMETOOLONG;
    return -1;
  }
  if (limit >= 0) {
    // Zero would be without end.
    int64_t microseconds = limit / 1000 > 0 ? limit / 1000 : 1;
    struct timeval time = {.tv_sec = microseconds / 1000000, .tv_usec = microseconds % 1000000};
    if (setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof(time)) != 0) return -1;
  }
  int result;
  do {
    result = connect(socket, (struct sockaddr *)&address, size);
  } while (result != 0 && errno == EINTR);
  return result;
}

int gps_accept(int socket) { return accept4(socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int gps_peer_user(int socket, uint32_t *user) {
  struct ucred credentials;
  socklen_t size = sizeof(credentials);
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -1;
  *user = credentials.uid;
  return 0;
}

int (*gps_memfd_create)(const char *name, unsigned flags) = memfd_create;

int gps_memory_create(void) { return gps_memfd_create("GLibRunLoop message", MFD_CLOEXEC | MFD_ALLOW_SEALING); }

static const int all_seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;

int gps_memory_seal(int memory) { return fcntl(memory, F_ADD_SEALS, all_seals); }

bool gps_memory_is_sealed(int memory) {
  int seals = fcntl(memory, F_GET_SEALS);
  return seals >= 0 && (seals & all_seals) == all_seals;
}

void gps_advise_large_pages(void *start, size_t length) {
  const uintptr_t large = 2 << 20;
  uintptr_t first = ((uintptr_t)start + large - 1) & ~(large - 1);
  uintptr_t end = ((uintptr_t)start + length) & ~(large - 1);
  if (end > first) madvise((void *)first, end - first, MADV_HUGEPAGE);
}

ssize_t gps_send(int socket, const struct iovec *parts, int count, int memory) {
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr aligned;
  } control;
  struct msghdr message = {.msg_iov = (struct iovec *)parts, .msg_iovlen = (size_t)count};
  if (memory >= 0) {
    memset(&control, 0, sizeof(control));
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof(control.bytes);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &memory, sizeof(int));
  }
  ssize_t result;
  do {
    result = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (result < 0 && errno == EINTR);
  return result;
}

gps_packet gps_receive(int socket, void *buffer, size_t capacity) {
  // Room for one descriptor. On 64-bit machines the padding fits a second one; the kernel closes what does not fit.
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr aligned;
  } control;
  struct iovec part = {.iov_base = buffer, .iov_len = capacity};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof(control.bytes)};
  gps_packet packet = {.memory = -1};
  do {
    packet.length = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (packet.length < 0 && errno == EINTR);
  if (packet.length < 0) return packet;
  packet.is_truncated = (message.msg_flags & MSG_TRUNC) != 0;
  packet.has_excess = (message.msg_flags & MSG_CTRUNC) != 0;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) {
      packet.has_excess = true;
      continue;
    }
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; i++) {
      int descriptor;
      memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
      if (packet.memory < 0) {
        packet.memory = descriptor;
      } else {
        packet.has_excess = true;
        close(descriptor);
      }
    }
  }
  if (packet.has_excess && packet.memory >= 0) {
    close(packet.memory);
    packet.memory = -1;
  }
  return packet;
}

bool gps_lock_file(int file) { return flock(file, LOCK_EX | LOCK_NB) == 0; }

void gps_warn(const char *message) { g_log("GLibRunLoop", G_LOG_LEVEL_WARNING, "%s", message); }
