// Cuts an ext4 file system's power: from now on nothing reaches its disk, not even its journal. See cuttable-disk.ts.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>

// Copied from the kernel's include/uapi/linux/ext4.h, which not every system has.
#define EXT4_IOC_SHUTDOWN _IOR('X', 125, uint32_t)
#define EXT4_GOING_FLAGS_NOLOGFLUSH 0x2

int main(int count, char **arguments) {
  uint32_t how = EXT4_GOING_FLAGS_NOLOGFLUSH;
  int folder = open(count == 2 ? arguments[1] : "", O_RDONLY);
  if (folder >= 0 && ioctl(folder, EXT4_IOC_SHUTDOWN, &how) == 0) return 0;
  perror("cut-power");
  return 1;
}
