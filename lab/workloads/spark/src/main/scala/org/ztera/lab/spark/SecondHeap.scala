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

import scala.jdk.CollectionConverters._

/** Statistics of ZTera's second heap, where the program runs with the plugin in local mode. */
object SecondHeap {

  /** One field `h2` with all statistics of `org.ztera.H2`, or none. */
  def facts: Map[String, Any] =
    try {
      val heap = Class.forName("org.ztera.H2", true, Thread.currentThread.getContextClassLoader)
      if (heap.getMethod("isEnabled").invoke(null) == true) Map("h2" -> numbers(heap.getMethod("stats").invoke(null))) else Map.empty
    } catch {
      case _: ClassNotFoundException => Map.empty
    }

  private def numbers(stats: Any): Map[String, Any] =
    stats.getClass.getMethod("byName").invoke(stats).asInstanceOf[java.util.Map[String, Any]].asScala.toMap
}
