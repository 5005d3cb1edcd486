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

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.{SparkListener, SparkListenerStageCompleted}

/** The most that Spark counted as cached, in memory and on disk, at the end of any stage. */
final class CachedBytes(context: SparkContext) extends SparkListener with AutoCloseable {
  private var all = 0L
  private var disk = 0L

  context.addSparkListener(this)

  override def onStageCompleted(stage: SparkListenerStageCompleted): Unit = weigh()

  /** Asks Spark now. */
  def weigh(): Unit = {
    val rdds = context.getRDDStorageInfo
    synchronized {
      all = math.max(all, rdds.map(rdd => rdd.memSize + rdd.diskSize).sum)
      disk = math.max(disk, rdds.map(_.diskSize).sum)
    }
  }

  def most: Long = synchronized(all)

  def mostOnDisk: Long = synchronized(disk)

  override def close(): Unit = context.removeSparkListener(this)
}
