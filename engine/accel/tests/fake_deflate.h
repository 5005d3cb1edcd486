// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

// A deflate stream of a unit that repeats one byte.

#include <stdint.h>

static _Thread_local unsigned char *at;
static _Thread_local unsigned bits;
static _Thread_local unsigned filled;

static void put(unsigned value, int count) {
  for (int i = 0; i < count; i++) {
    filled |= (value >> i & 1) << bits;
    if (++bits == 8) {
      *at++ = (unsigned char)filled;
      bits = filled = 0;
    }
  }
}

// Huffman codes come with their highest bit first.
static void put_code(unsigned code, int count) {
  for (int i = count - 1; i >= 0; i--) {
    put(code >> i & 1, 1);
  }
}

// Fixed Huffman codes: a literal, and then copies of the byte before.
static void put_run(unsigned char byte, unsigned len) {
  put(1, 1);
  put(1, 2);
  if (byte < 144) {
    put_code(0x30 + byte, 8);
  } else {
    put_code(0x190 + byte - 144, 9);
  }
  for (len--; len >= 258; len -= 258) {
    put_code(0xc5, 8);  // 285: a length of 258
    put_code(0, 5);     // a distance of 1
  }
  for (; len > 0; len--) {
    if (byte < 144) {
      put_code(0x30 + byte, 8);
    } else {
      put_code(0x190 + byte - 144, 9);
    }
  }
  put_code(0, 7);
  if (bits > 0) {
    put(0, 8 - (int)bits);
  }
}
