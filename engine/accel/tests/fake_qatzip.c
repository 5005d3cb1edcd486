// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

// The functions of QATzip that are used, without a device. Input that repeats one byte becomes a short deflate stream,
// other input a stored one.

#include <stdint.h>
#include <string.h>

#include "fake_deflate.h"

static uint32_t crc32_of(const unsigned char *bytes, unsigned len) {
  uint32_t crc = ~0u;
  for (unsigned i = 0; i < len; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) {
      crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
  }
  return ~crc;
}

int qzInit(void *session, unsigned char sw_backup) {
#ifdef NO_HARDWARE
  return -101;
#else
  return sw_backup == 0 && session != 0 ? 0 : -1;
#endif
}

int qzTeardownSession(void *session) { return session != 0 ? 0 : -1; }

int qzClose(void *session) { return session != 0 ? 0 : -1; }

int qzCompress(void *session, const unsigned char *src, unsigned *src_len, unsigned char *dest, unsigned *dest_len,
               unsigned last) {
  static const unsigned char header[] = {0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 12, 0, 'Q', 'Z', 8, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const unsigned len = *src_len;
  if (session == 0 || last != 1 || *dest_len < sizeof header + 8 + 64) {
    return -1;
  }
  for (unsigned i = 1; i < len; i++) {
    if (src[i] != src[0]) {
      return -2;
    }
  }
  memcpy(dest, header, sizeof header);
  at = dest + sizeof header;
  bits = filled = 0;
  put_run(src[0], len);
  const uint32_t crc = crc32_of(src, len);
  memcpy(at, &crc, 4);
  memcpy(at + 4, &len, 4);
  *dest_len = (unsigned)(at + 8 - dest);
  return 0;
}
