// The fan-out baseline. Inherits open TCP connections as file descriptors 3 and up, and reads one command per line:
//
//   fanOutFloor send <count>    reads "<bytes>": sends that many bytes to each connection, prints the start time
//   fanOutFloor drain <count>   reads "<bytes>": prints "waiting", reads that many bytes from all connections together,
//                               prints the time of the last byte
//
// Times are in nanoseconds of the monotonic clock, which all processes on a machine share. Exits at the end of its
// input.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int fail(const char *what) {
  fprintf(stderr, "fanOutFloor: %s: %s\n", what, strerror(errno));
  return 1;
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void say(int64_t nanoseconds) {
  printf("%lld\n", (long long)nanoseconds);
  fflush(stdout);
}

static int send_to_all(int count, long length) {
  char *frame = calloc(1, (size_t)length);
  if (frame == NULL) return fail("calloc");
  int64_t began = now();
  for (int fd = 3; fd < 3 + count; fd += 1) {
    if (send(fd, frame, (size_t)length, MSG_NOSIGNAL) != length) return fail("send");
  }
  free(frame);
  say(began);
  return 0;
}

static int drain(int epoll, long length) {
  static char buffer[65536];
  struct epoll_event events[512];
  printf("waiting\n");
  fflush(stdout);
  for (long left = length; left > 0;) {
    int ready = epoll_wait(epoll, events, 512, -1);
    if (ready < 0 && errno != EINTR) return fail("epoll_wait");
    for (int index = 0; index < ready; index += 1) {
      ssize_t taken = read(events[index].data.fd, buffer, sizeof buffer);
      if (taken == 0) errno = ECONNRESET;
      if (taken <= 0 && errno != EAGAIN) return fail("read");
      if (taken > 0) left -= taken;
    }
  }
  say(now());
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  int count = atoi(argv[2]);
  int draining = strcmp(argv[1], "drain") == 0;
  int epoll = epoll_create1(0);
  if (epoll < 0) return fail("epoll_create1");
  for (int fd = 3; draining && fd < 3 + count; fd += 1) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0) return fail("epoll_ctl");
  }
  char line[64];
  while (fgets(line, sizeof line, stdin) != NULL) {
    long length = atol(line);
    int failed = draining ? drain(epoll, length) : send_to_all(count, length);
    if (failed) return failed;
  }
  return 0;
}
