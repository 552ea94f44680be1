/*
 * LD_PRELOAD library that simulates disk faults for a database's files. A fault is active while the folder FAULTS
 * contains a file with its name: "fsync" makes every sync fail with EIO, "slow" delays every sync by 0.6 s, and "full"
 * makes every write fail with ENOSPC.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_faulty(int fd, const char *fault) {
  const char *folder = getenv("FAULTS");
  char path[4096], link[64], target[4096];
  if (!folder) return 0;
  snprintf(path, sizeof path, "%s/%s", folder, fault);
  if (access(path, F_OK) != 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, target, sizeof target - 1);
  if (length < 0) return 0;
  target[length] = 0;
  return strstr(target, "firmquote.db") != NULL;
}

#define FAIL(fault, code) \
  if (is_faulty(fd, fault)) { \
    errno = code; \
    return -1; \
  }
#define WAIT() \
  if (is_faulty(fd, "slow")) usleep(600000);
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int fsync(int fd) {
  FAIL("fsync", EIO)
  WAIT()
  return NEXT(fsync)(fd);
}

int fdatasync(int fd) {
  FAIL("fsync", EIO)
  WAIT()
  return NEXT(fdatasync)(fd);
}

ssize_t write(int fd, const void *bytes, size_t count) {
  FAIL("full", ENOSPC)
  return NEXT(write)(fd, bytes, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  FAIL("full", ENOSPC)
  return NEXT(pwrite)(fd, bytes, count, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  FAIL("full", ENOSPC)
  return NEXT(pwrite64)(fd, bytes, count, offset);
}
