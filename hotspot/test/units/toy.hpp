/*
 * Copyright (c) 2026, the ZTera authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation. The ZTera authors designate
 * this particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */

#ifndef HOTSPOT_TEST_UNITS_TOY_HPP
#define HOTSPOT_TEST_UNITS_TOY_HPP

// As much of HotSpot as units of gc/h2 need, over the standard library. units_test.sh puts it in place of HotSpot's
// headers. Names and meanings are HotSpot's; one thread runs.

#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <new>
#include <unordered_map>
#include <vector>

#define ASSERT
#undef assert
#define assert(condition, ...)                                                     \
  do {                                                                             \
    if (!(condition)) {                                                            \
      printf("FAILED: %s:%d: assert(%s)\n", __FILE__, __LINE__, #condition);       \
      fflush(stdout);                                                              \
      abort();                                                                     \
    }                                                                              \
  } while (0)
#define DEBUG_ONLY(code) code
#define STATIC_ASSERT(condition) static_assert(condition, #condition)
#define NONCOPYABLE(C) C(const C&) = delete; C& operator=(const C&) = delete
#define PTR_FORMAT "%p"
#define p2i(p) (p)

typedef unsigned int uint;
typedef int64_t jlong;
typedef uint8_t* address;

const size_t K = 1024;
const size_t M = K * K;
const int LogHeapWordSize = 3;
const size_t HeapWordSize = 8;
const uint max_juint = UINT32_MAX;

class HeapWord { char* _word; };

template <typename T> T MIN2(T a, T b)         { return a < b ? a : b; }
template <typename T> T MAX2(T a, T b)         { return a < b ? b : a; }
template <typename T> T MIN3(T a, T b, T c)    { return MIN2(MIN2(a, b), c); }
template <typename T> T clamp(T v, T lo, T hi) { return MIN2(MAX2(v, lo), hi); }
template <typename T, typename U> T checked_cast(U value) { assert((U)(T)value == value, "too large"); return (T)value; }

template <typename T, typename A> T align_down(T n, A to) { return n / (T)to * (T)to; }
template <typename T, typename A> T align_up(T n, A to)   { return align_down(n + (T)to - 1, to); }
template <typename T, typename A> T* align_up(T* p, A to) { return (T*)align_up((uintptr_t)p, to); }
template <typename T> bool is_aligned(T* p, size_t to)    { return (uintptr_t)p % to == 0; }

inline size_t pointer_delta(const volatile void* a, const volatile void* b, size_t size) {
  assert((uintptr_t)a >= (uintptr_t)b, "in order");
  return ((uintptr_t)a - (uintptr_t)b) / size;
}
inline size_t pointer_delta(const HeapWord* a, const HeapWord* b) { return pointer_delta(a, b, HeapWordSize); }

inline int log2i_exact(size_t n)               { return __builtin_ctzl(n); }
inline size_t round_down_power_of_2(size_t n)  { return (size_t)1 << (63 - __builtin_clzl(n)); }
inline size_t round_up_power_of_2(size_t n)    { return n == 1 ? 1 : 2 * round_down_power_of_2(n - 1); }

enum ReferenceType { REF_SOFT };
enum MemTag { mtGC, mtH2Tables };
struct AnyObj {
  enum allocation_type { C_HEAP };
  void* operator new(size_t bytes, MemTag) { return malloc(bytes); }
  void operator delete(void* p)            { free(p); }
};
class AllStatic {};
class StackObj {};
template <MemTag> class CHeapObj {};
#define NEW_C_HEAP_ARRAY(type, length, tag) ((type*)malloc((length) * sizeof(type)))
#define REALLOC_C_HEAP_ARRAY(type, array, length, tag) ((type*)realloc(array, (length) * sizeof(type)))
#define FREE_C_HEAP_ARRAY(type, array) free((void*)(array))

const bool H2Stress = false;
const bool UseCompressedOops = false;

inline void toy_log(const char*, ...) {}
#define log_debug(...) toy_log

class MemRegion {
  HeapWord* _start;
  size_t    _words;

 public:
  MemRegion() : _start(nullptr), _words(0) {}
  MemRegion(HeapWord* start, size_t words) : _start(start), _words(words) {}
  MemRegion(HeapWord* start, HeapWord* end) : _start(start), _words(pointer_delta(end, start)) {}
  HeapWord* start() const             { return _start; }
  HeapWord* end() const               { return _start + _words; }
  HeapWord* last() const              { return _start + _words - 1; }
  size_t word_size() const            { return _words; }
  size_t byte_size() const            { return _words * HeapWordSize; }
  bool is_empty() const               { return _words == 0; }
  bool contains(const void* p) const  { return _start <= (HeapWord*)p && (HeapWord*)p < end(); }
};

template <typename E, MemTag tag>
class GrowableArrayCHeap {
  std::vector<E> _elements;

 public:
  GrowableArrayCHeap() {}
  explicit GrowableArrayCHeap(int capacity) { _elements.reserve(capacity); }
  GrowableArrayCHeap(int, int length, const E& filler) : _elements(length, filler) {}
  int length() const                { return (int)_elements.size(); }
  bool is_empty() const             { return _elements.empty(); }
  bool is_nonempty() const          { return !_elements.empty(); }
  const E& last() const             { return _elements.back(); }
  E& at(int i)                      { return _elements.at(i); }
  const E& at(int i) const          { return _elements.at(i); }
  E* adr_at(int i)                  { return &_elements.at(i); }
  void at_put(int i, const E& e)    { _elements.at(i) = e; }
  int append(const E& e)            { _elements.push_back(e); return length() - 1; }
  bool contains(const E& e) const   { return std::find(_elements.begin(), _elements.end(), e) != _elements.end(); }
  void append_if_missing(const E& e) { if (!contains(e)) { append(e); } }
  template <typename Other>
  void appendAll(const Other* other) { for (const E& e : *other) { append(e); } }
  void trunc_to(int length)         { _elements.resize(length, E()); }
  void clear()                      { _elements.clear(); }
  void clear_and_deallocate()       { std::vector<E>().swap(_elements); }
  void sort(int compare(E*, E*)) {
    std::sort(_elements.begin(), _elements.end(), [=](E a, E b) { return compare(&a, &b) < 0; });
  }
  template <typename Key, int compare(const Key&, const E&)> int find_sorted(const Key& key, bool& found) const {
    const auto at = std::lower_bound(begin(), end(), key, [](const E& e, const Key& k) { return compare(k, e) > 0; });
    found = at != end() && compare(key, *at) == 0;
    return (int)(at - begin());
  }
  typename std::vector<E>::iterator begin()             { return _elements.begin(); }
  typename std::vector<E>::iterator end()               { return _elements.end(); }
  typename std::vector<E>::const_iterator begin() const { return _elements.begin(); }
  typename std::vector<E>::const_iterator end() const   { return _elements.end(); }
};

template <typename Key> unsigned toy_hash(const Key& key) { return (unsigned)key; }

template <typename Key, typename V, AnyObj::allocation_type type, MemTag tag, unsigned HASH(const Key&) = toy_hash<Key>>
class ResizeableResourceHashtable : public AnyObj {
  struct Hash { size_t operator()(const Key& key) const { return HASH(key); } };
  std::unordered_map<Key, V, Hash> _entries;

 public:
  ResizeableResourceHashtable(unsigned, unsigned) {}
  int number_of_entries() const { return (int)_entries.size(); }
  V* get(const Key& key) const {
    const auto found = _entries.find(key);
    return found == _entries.end() ? nullptr : const_cast<V*>(&found->second);
  }
  bool contains(const Key& key) const            { return get(key) != nullptr; }
  void put(const Key& key, const V& value)       { _entries[key] = value; }
  V* put_if_absent(const Key& key, const V& value, bool* is_new) {
    const auto result = _entries.emplace(key, value);
    *is_new = result.second;
    return &result.first->second;
  }
  void remove(const Key& key)  { _entries.erase(key); }
  bool maybe_grow(int)         { return false; }
  template <typename F> void iterate_all(F f) const { for (const auto& it : _entries) { f(it.first, it.second); } }
  template <typename R> void unlink(R* remover) {
    for (auto it = _entries.begin(); it != _entries.end(); ) {
      it = remover->do_entry(it->first, it->second) ? _entries.erase(it) : std::next(it);
    }
  }
};

class CHeapBitMap {
  std::vector<bool> _bits;

 public:
  CHeapBitMap(size_t length, MemTag) : _bits(length) {}
  void set_bit(size_t i)   { _bits[i] = true; }
  bool at(size_t i) const  { return _bits[i]; }
};

class Atomic {
 public:
  template <typename T> static T load(const volatile T* p)                   { return *p; }
  template <typename T> static T load_acquire(const volatile T* p)           { return *p; }
  template <typename T, typename U> static void release_store(T* p, U value) { *p = value; }
  template <typename T> static void inc(T* p)                                { *p = *p + 1; }
  template <typename T, typename U> static void add(T* p, U value)           { *p = *p + value; }
  template <typename T, typename U> static void sub(T* p, U value)           { *p = *p - value; }
  template <typename T, typename U> static T fetch_then_add(volatile T* p, U value) {
    const T old = *p;
    *p = old + value;
    return old;
  }
  template <typename T> static T cmpxchg(volatile T* p, T expected, T value) {
    const T old = *p;
    *p = old == expected ? value : old;
    return old;
  }
};

struct SpinYield { void wait() { assert(false, "nobody else holds the lock"); } };

class Mutex {
 public:
  enum Rank { nosafepoint };
  enum SafepointCheckFlag { _no_safepoint_check_flag };
  Mutex(Rank, const char*) {}
};
struct MutexLocker { MutexLocker(Mutex*, Mutex::SafepointCheckFlag) {} };

struct SafepointSynchronize { static bool is_at_safepoint() { return true; } };
struct Thread {
  static Thread* current() { static Thread it; return &it; }
  bool is_VM_thread() const { return true; }
};

class os {
 public:
  // Whether there is none: malloc() and realloc() fail.
  static bool& out_of_memory()                          { static bool it = false; return it; }
  static void* malloc(size_t bytes, MemTag)             { return out_of_memory() ? nullptr : ::malloc(bytes); }
  static void* realloc(void* p, size_t bytes, MemTag)   { return out_of_memory() ? nullptr : ::realloc(p, bytes); }
  static void free(void* p)                             { ::free(p); }

  static size_t vm_page_size() { return 4 * K; }
  static void disclaim_memory(char* p, size_t bytes) { memset(p, 0, bytes); }
  static void commit_memory_or_exit(char*, size_t, bool, const char*) {}
  static bool committed_in_range(address, size_t, address&, size_t&) { return false; }
};

const bool ExecMem = true;
enum VMErrorType { OOM_MMAP_ERROR };
inline void vm_exit_out_of_memory(size_t, VMErrorType, const char*) { abort(); }

class ReservedSpace {
  char* _base;

 public:
  explicit ReservedSpace(char* base) : _base(base) {}
  bool is_reserved() const { return _base != nullptr; }
  char* base() const       { return _base; }
};
struct MemoryReserver {
  static ReservedSpace reserve(size_t bytes, MemTag) { return ReservedSpace((char*)aligned_alloc(4 * K, bytes)); }
};

class ClassLoaderData {
 public:
  bool is_the_null_class_loader_data() const { return false; }
};

struct CollectedHeap { static size_t min_fill_size() { return 2; } };

#endif // HOTSPOT_TEST_UNITS_TOY_HPP
