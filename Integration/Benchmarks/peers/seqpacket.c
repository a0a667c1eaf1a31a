// Two processes over a bare pair of seqpacket sockets, and two copies of memory: what a message costs at least.
#include "bench.h"
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#define PEER "seqpacket"

static peer_clock C;
static int ep = -1;

static void use_epoll(int fd) {
    struct epoll_event e = { .events = EPOLLIN };
    ep = epoll_create1(EPOLL_CLOEXEC);
    epoll_ctl(ep, EPOLL_CTL_ADD, fd, &e);
}

static ssize_t take(int fd, void *buf, size_t cap) {
    struct epoll_event e;
    if (ep >= 0) epoll_wait(ep, &e, 1, -1);
    return recv(fd, buf, cap, 0);
}

static uint64_t requests(uint64_t target, size_t size, bool epoll) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) != 0) exit(2);
    char *buf = malloc(size);
    memset(buf, 1, size);
    bool server = fork() == 0;
    int fd = pair[server ? 1 : 0];
    close(pair[server ? 0 : 1]);
    if (epoll) use_epoll(fd);
    if (server) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (ssize_t n; (n = take(fd, buf, size)) > 0;) send(fd, buf, (size_t)n, MSG_NOSIGNAL);
        _exit(0);
    }
    uint64_t count = 0, warm = target < 1000 ? target : 1000;
    for (uint64_t i = 0; i < warm; i++) { send(fd, buf, size, MSG_NOSIGNAL); take(fd, buf, size); }
    peer_begin(&C);
    for (; count < target && !peer_over_budget(&C, count, 63); count++) {
        send(fd, buf, size, MSG_NOSIGNAL);
        take(fd, buf, size);
    }
    peer_end(&C);
    return count;
}

// One process writes and the other reads: not less than two copies, wherever the bytes wait.
static uint64_t copies(uint64_t target, size_t size) {
    char *a = malloc(size), *b = malloc(size), *c = malloc(size);
    memset(a, 1, size); memset(b, 2, size); memset(c, 3, size);
    peer_begin(&C);
    for (uint64_t i = 0; i < target; i++) {
        a[i % size]++;
        memcpy(b, a, size);
        memcpy(c, b, size);
        __asm__ volatile("" : : "r"(c) : "memory");
    }
    peer_end(&C);
    return target;
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    const char *wl = argv[1], *v = peer_sarg(argc, argv, 4, "blocking");
    uint64_t target = peer_arg(argc, argv, 2, 50000), size = peer_arg(argc, argv, 3, 16);
    char params[200];
    snprintf(params, sizeof params, "\"M\":%lu,\"bytes\":%lu,\"variant\":\"%s\"", target, size, v);
    peer_setup(PEER, wl, params);
    uint64_t ops;
    if (!strcmp(wl, "request")) ops = requests(target, size, !strcmp(v, "epoll"));
    else if (!strcmp(wl, "copies")) ops = copies(target, size);
    else return 2;
    peer_emit(&C, ops, "");
    return 0;
}
