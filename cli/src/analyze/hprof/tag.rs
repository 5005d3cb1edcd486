// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Kinds of records, and of parts of the heap.

/// Names, classes that were loaded, threads and the like.
pub const WITHOUT_OBJECTS: [u8; 11] = [0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b, 0x0d, 0x0e];
/// The heap.
pub const HEAP_DUMP: u8 = 0x0c;
/// A part of the heap.
pub const HEAP_DUMP_SEGMENT: u8 = 0x1c;
/// There are no more parts.
pub const HEAP_DUMP_END: u8 = 0x2c;

/// An id.
pub const ROOT_UNKNOWN: u8 = 0xff;
/// An id, and the handle's.
pub const ROOT_JNI_GLOBAL: u8 = 0x01;
/// An id, a thread and a frame.
pub const ROOT_JNI_LOCAL: u8 = 0x02;
/// An id, a thread and a frame.
pub const ROOT_FRAME: u8 = 0x03;
/// An id and a thread.
pub const ROOT_NATIVE_STACK: u8 = 0x04;
/// An id.
pub const ROOT_STICKY_CLASS: u8 = 0x05;
/// An id and a thread.
pub const ROOT_THREAD_BLOCK: u8 = 0x06;
/// An id.
pub const ROOT_MONITOR: u8 = 0x07;
/// An id, a thread and a stack trace.
pub const ROOT_THREAD: u8 = 0x08;
/// A class.
pub const CLASS: u8 = 0x20;
/// An instance.
pub const INSTANCE: u8 = 0x21;
/// An array of references.
pub const REFERENCES: u8 = 0x22;
/// An array of a primitive type.
pub const PRIMITIVES: u8 = 0x23;
