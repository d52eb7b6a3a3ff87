/* An echo server on epoll: one thread, edge-triggered, reads until drained. Prints "port N". */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { EVENTS = 256, BYTES = 64 * 1024 };

static char buffer[BYTES];

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void watch(int epoll, int fd, unsigned events) {
  struct epoll_event event = {.events = events, .data.fd = fd};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0) fail("epoll_ctl");
}

/* Whether the connection goes on. A full send buffer cannot happen with a client that waits for its answer. */
static int echo(int fd) {
  for (;;) {
    ssize_t n = recv(fd, buffer, BYTES, 0);
    if (n < 0) return errno == EAGAIN;
    if (n == 0) return 0;
    for (ssize_t sent = 0; sent < n;) {
      ssize_t m = send(fd, buffer + sent, n - sent, MSG_NOSIGNAL);
      if (m < 0) return 0;
      sent += m;
    }
    if (n < BYTES) return 1; /* drained */
  }
}

int main(void) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, length) < 0) fail("bind");
  if (listen(listener, 4096) < 0) fail("listen");
  if (getsockname(listener, (struct sockaddr *)&address, &length) < 0) fail("getsockname");
  printf("port %d\n", ntohs(address.sin_port));
  fflush(stdout);

  int epoll = epoll_create1(0);
  watch(epoll, listener, EPOLLIN);
  struct epoll_event events[EVENTS];
  for (;;) {
    int n = epoll_wait(epoll, events, EVENTS, -1);
    for (int i = 0; i < n; i++) {
      int fd = events[i].data.fd;
      if (fd != listener) {
        if (!echo(fd)) close(fd);
        continue;
      }
      int accepted;
      while ((accepted = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        int on = 1;
        setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        watch(epoll, accepted, EPOLLIN | EPOLLRDHUP | EPOLLET);
      }
    }
  }
}
