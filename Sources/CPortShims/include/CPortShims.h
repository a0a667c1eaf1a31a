// The few lines that named ports need and Swift cannot say: ancillary data, peer credentials, memory descriptors.
// Each returns what the system call returns, with errno set.
#ifndef C_PORT_SHIMS_H
#define C_PORT_SHIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

// A Unix socket that keeps packets whole and in order. It blocks until gps_set_non_blocking.
int gps_socket(void);
int gps_set_non_blocking(int socket);

// The name is a path, or, if abstract, any bytes.
int gps_bind(int socket, const void *name, size_t length, bool is_abstract);
// With a limit in nanoseconds; EAGAIN when it has passed. Negative is without end.
int gps_connect(int socket, const void *name, size_t length, bool is_abstract, int64_t limit);
// Non-blocking, as is what is accepted.
int gps_accept(int socket);
// The user that the process at the other end ran as when it connected, or listened.
int gps_peer_user(int socket, uint32_t *user);

int gps_memory_create(void);
// memfd_create(2), where a test can stand between. Nothing but a test writes to it, before a port is made.
extern int (*gps_memfd_create)(const char *name, unsigned flags);
// From then on neither its bytes nor its size can change.
int gps_memory_seal(int memory);
// Whether it is such memory. Anything else a peer may have passed could block a reader or change beneath it.
bool gps_memory_is_sealed(int memory);

// A hint for memory that is about to be filled. Does nothing for little of it, and no harm where there is no such thing.
void gps_advise_large_pages(void *start, size_t length);

// Sends one packet without waiting; memory is passed with it unless it is negative.
ssize_t gps_send(int socket, const struct iovec *parts, int count, int memory);

typedef struct {
  ssize_t length;    // of the packet; 0 at the end of the stream, -1 with errno
  int memory;        // the descriptor that came with it, -1 if none
  bool is_truncated; // it was longer than the buffer
  bool has_excess;   // more descriptors came than one, or other ancillary data; none of them is open any more
} gps_packet;

// Takes one packet without waiting.
gps_packet gps_receive(int socket, void *buffer, size_t capacity);

// Takes a lock on an open file that ends with the process. False if somebody else has it.
bool gps_lock_file(int file);

// A warning in the log domain of the library.
void gps_warn(const char *message);

#endif
