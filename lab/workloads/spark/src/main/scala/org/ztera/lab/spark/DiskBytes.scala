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
package org.ztera.lab.spark

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

/** Bytes that this process read from disks and wrote to them, as the kernel counts them in /proc/self/io. */
object DiskBytes {
  private val Line = raw"(read_bytes|write_bytes): (\d+)".r

  /** Both by the kernel's names; nothing where the kernel does not count. */
  def ofThisProcess: Map[String, Long] = {
    val file = Path.of("/proc/self/io")
    val lines = if (Files.isReadable(file)) Files.readAllLines(file).asScala else Seq.empty
    lines.collect { case Line(name, bytes) => name -> bytes.toLong }.toMap
  }
}
