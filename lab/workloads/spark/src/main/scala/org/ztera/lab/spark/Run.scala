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

import java.lang.management.ManagementFactory

import scala.collection.immutable.ListMap
import scala.jdk.CollectionConverters._

import org.apache.spark.sql.SparkSession

/** One workload, timed. */
object Run {
  private val NanosPerMilli = 1000000L
  private val MillisPerSecond = 1e3

  /** Leaves nothing in Spark's cache. Seconds of garbage collection are those of the driver's JVM. */
  def apply(spark: SparkSession, name: String, options: Options): Map[String, Any] = {
    val workload = Workload.all.getOrElse(name,
      throw new IllegalArgumentException(s"no workload $name; there are ${Workload.all.keys.toSeq.sorted.mkString(", ")}"))
    val bytes = new CachedBytes(spark.sparkContext)
    try {
      val (compute, load) = timed(workload.load(spark, options))
      bytes.weigh()
      val (answer, work) = timed(compute())
      bytes.weigh()
      ListMap[String, Any](
        "workload" -> name, "storage" -> options.storage, "data" -> options.features.name, "size" -> options.size,
        "partitions" -> options.partitions, "iterations" -> options.iterations, "answer" -> answer.toString,
        "cachedBytes" -> bytes.most, "cachedOnDiskBytes" -> bytes.mostOnDisk,
        "loadSeconds" -> load.seconds, "computeSeconds" -> work.seconds,
        "gcSeconds" -> (load.gcSeconds + work.gcSeconds), "loadGc" -> load.gc, "computeGc" -> work.gc,
        "io" -> DiskBytes.ofThisProcess) ++ SecondHeap.facts
    } finally {
      bytes.close()
      spark.sparkContext.getPersistentRDDs.values.foreach(_.unpersist(blocking = true))
      spark.catalog.clearCache()
    }
  }

  /** Milliseconds in all, and by collector. */
  private final case class Phase(millis: Long, gcMillis: Map[String, Long]) {
    def seconds: Double = millis / MillisPerSecond
    def gcSeconds: Double = gcMillis.values.sum / MillisPerSecond
    def gc: Map[String, Double] = gcMillis.map { case (name, time) => name -> time / MillisPerSecond }
  }

  private def timed[T](body: => T): (T, Phase) = {
    val before = collectors
    val start = System.nanoTime
    val result = body
    val millis = (System.nanoTime - start) / NanosPerMilli
    (result, Phase(millis, collectors.map { case (name, time) => name -> (time - before(name)) }))
  }

  private def collectors: Map[String, Long] =
    ManagementFactory.getGarbageCollectorMXBeans.asScala.map(bean => bean.getName -> bean.getCollectionTime).toMap
}
