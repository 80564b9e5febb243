// A disk that is slow or fails on request, for all files below one folder: see faulty-disk.ts.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

// faulty-disk.ts writes these orders into a file that every process maps.
struct orders {
  volatile int error; // 0: none
  volatile int sync_delay_ms;
  volatile int only_says_that_it_syncs;
  volatile int room; // With an error: this many bytes can still be written before the next sync.
};

static struct orders none;
static struct orders *orders = &none;
static char folder[4096];

__attribute__((constructor)) static void read_environment(void) {
  const char *path = getenv("FAULTY_DISK_FOLDER"), *file = getenv("FAULTY_DISK_ORDERS");
  if (!path || !file || !realpath(path, folder)) return;
  int fd = open(file, O_RDONLY);
  void *mapped = mmap(NULL, sizeof(struct orders), PROT_READ, MAP_SHARED, fd, 0);
  if (mapped != MAP_FAILED) orders = mapped;
  close(fd);
}

static int is_below(const char *path) {
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && path[length] == '/';
}

static int is_on_disk(int fd) {
  char link[32], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_below(path);
}

static int refuses(int fd) {
  if (orders->error == 0 || !is_on_disk(fd)) return 0;
  errno = orders->error;
  return 1;
}

static volatile size_t taken;

static int refuses_bytes(int fd, size_t n) {
  if (orders->room == 0 || !is_on_disk(fd)) return refuses(fd);
  taken += n;
  if (taken <= (size_t)orders->room) return 0;
  // A refused process also discards its earlier writes.
  taken = 0;
  return refuses(fd);
}

// Only a broken disk fails to sync. A full disk keeps the bytes that it accepted.
static int refuses_sync(int fd) {
  if (orders->sync_delay_ms > 0 && is_on_disk(fd)) {
    struct timespec delay = {orders->sync_delay_ms / 1000, orders->sync_delay_ms % 1000 * 1000000L};
    nanosleep(&delay, NULL);
  }
  taken = 0;
  return orders->error == EIO && refuses(fd);
}

static int refuses_open(const char *path, int flags) {
  int is_new = flags & O_CREAT && access(path, F_OK) != 0;
  int is_written = orders->error == EROFS && (flags & O_ACCMODE) != O_RDONLY;
  if (orders->error == 0 || !(is_new || is_written)) return 0;
  char parent[4096];
  snprintf(parent, sizeof parent, "%s", path);
  char *slash = strrchr(parent, '/');
  if (slash) *slash = 0;
  char real[4096];
  if (!slash || !realpath(parent, real)) return 0;
  strncat(real, "/", sizeof real - strlen(real) - 1);
  if (!is_below(real)) return 0;
  errno = orders->error;
  return 1;
}

#define REAL(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))
#define INSTEAD(type, name, parameters, arguments, is_refused) \
  type name parameters {                                       \
    static typeof(&name) real;                                 \
    if (!real) real = REAL(name);                              \
    return is_refused ? -1 : real arguments;                   \
  }
#define SYNC(name)                                             \
  int name(int fd) {                                           \
    static typeof(&name) real;                                 \
    if (!real) real = REAL(name);                              \
    if (orders->only_says_that_it_syncs && is_on_disk(fd)) return 0; \
    return refuses_sync(fd) ? -1 : real(fd);                   \
  }
#define OPEN(name)                                             \
  int name(const char *path, int flags, ...) {                 \
    va_list rest;                                              \
    va_start(rest, flags);                                     \
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                              \
    return refuses_open(path, flags) ? -1 : REAL(name)(path, flags, mode); \
  }

SYNC(fsync)
SYNC(fdatasync)
INSTEAD(ssize_t, write, (int fd, const void *bytes, size_t n), (fd, bytes, n), refuses_bytes(fd, n))
INSTEAD(ssize_t, pwrite, (int fd, const void *bytes, size_t n, off_t at), (fd, bytes, n, at), refuses_bytes(fd, n))
INSTEAD(ssize_t, pwrite64, (int fd, const void *bytes, size_t n, off_t at), (fd, bytes, n, at), refuses_bytes(fd, n))
INSTEAD(int, ftruncate, (int fd, off_t length), (fd, length), refuses(fd))
INSTEAD(int, ftruncate64, (int fd, off_t length), (fd, length), refuses(fd))
OPEN(open)
OPEN(open64)
