// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

// The functions of nvCOMP and of NVIDIA's driver that are used, without a GPU: its memory is the host's, and all is done
// at once. A unit that repeats one byte becomes a short deflate stream, and others fail.

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fake_deflate.h"

typedef struct {
  int algorithm;
  char reserved[60];
} Options;

int cuInit(unsigned flags) {
#ifdef NO_GPU
  return 100;
#else
  return flags == 0 ? 0 : 1;
#endif
}

int cuDeviceGet(int *device, int number) {
  *device = number;
  return 0;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
  *context = (void *)(uintptr_t)(0x1000 + device);
  return 0;
}

int cuCtxSetCurrent(void *context) { return context == (void *)0x1000 ? 0 : 1; }

int cuStreamCreate(void **stream, unsigned flags) {
  *stream = malloc(1);
  return flags == 1 ? 0 : 1;
}

int cuStreamSynchronize(void *stream) { return stream != 0 ? 0 : 1; }

int cuStreamDestroy_v2(void *stream) {
  free(stream);
  return 0;
}

int cuMemAlloc_v2(uint64_t *address, size_t len) {
#ifdef NO_MEMORY
  return 2;
#endif
  *address = (uint64_t)(uintptr_t)aligned_alloc(256, (len + 255) / 256 * 256);
  return 0;
}

int cuMemFree_v2(uint64_t address) {
  free((void *)(uintptr_t)address);
  return 0;
}

int cuMemAllocHost_v2(void **start, size_t len) {
  *start = malloc(len);
  return 0;
}

int cuMemFreeHost(void *start) {
  free(start);
  return 0;
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t len, void *stream) {
  memcpy((void *)(uintptr_t)to, from, len);
  return cuStreamSynchronize(stream);
}

int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t len, void *stream) {
  memcpy(to, (const void *)(uintptr_t)from, len);
  return cuStreamSynchronize(stream);
}

static int is_sound(Options options) {
  for (unsigned i = 0; i < sizeof options.reserved; i++) {
    if (options.reserved[i] != 0) {
      return 0;
    }
  }
  return options.algorithm >= 0 && options.algorithm <= 5;
}

int nvcompBatchedDeflateCompressGetTempSize(size_t units, size_t largest, Options options, size_t *bytes, size_t total,
                                            void *stream) {
  *bytes = units * 16;
  return is_sound(options) && total == units * largest && stream != 0 ? 0 : 10;
}

int nvcompBatchedDeflateCompressGetMaxOutputChunkSize(size_t largest, Options options, size_t *bytes) {
  *bytes = largest + 100;
  return is_sound(options) ? 0 : 10;
}

int nvcompBatchedDeflateCompressAsync(const void *const *units, const size_t *lens, size_t largest, size_t count, void *temp,
                                      size_t temp_len, void *const *outputs, size_t *output_lens, Options options,
                                      int *statuses, void *stream) {
  if (!is_sound(options) || stream == 0 || temp_len < count * 16) {
    return 10;
  }
  memset(temp, 1, temp_len);
  for (size_t i = 0; i < count; i++) {
    const unsigned char *unit = units[i];
    statuses[i] = lens[i] <= largest && memcmp(unit, unit + 1, lens[i] - 1) == 0 ? 0 : 1;
    output_lens[i] = 0;
    if (statuses[i] == 0) {
      at = outputs[i];
      bits = filled = 0;
      put_run(unit[0], (unsigned)lens[i]);
      output_lens[i] = (size_t)(at - (unsigned char *)outputs[i]);
#ifdef WRONG
      ((unsigned char *)outputs[i])[output_lens[i] / 2] ^= 0x10;
#endif
    }
  }
  return 0;
}
