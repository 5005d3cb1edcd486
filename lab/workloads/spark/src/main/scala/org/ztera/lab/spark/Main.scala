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

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.spark.SparkConf
import org.apache.spark.graphx.GraphXUtils
import org.apache.spark.sql.SparkSession

/** Runs one workload and prints one line of JSON. README.md lists the options. */
object Main {
  def main(arguments: Array[String]): Unit = arguments.toList match {
    case name :: options => run(name, Options.parse(options))
    case Nil => throw new IllegalArgumentException(s"name a workload: ${Workload.all.keys.toSeq.sorted.mkString(", ")}")
  }

  private def run(name: String, options: Options): Unit = {
    val spark = SparkSession.builder().config(conf(name)).getOrCreate()
    try println(json(Run(spark, name, options)))
    finally spark.stop()
  }

  /** Kryo, where it is chosen, gets to know the classes of GraphX. */
  private def conf(name: String): SparkConf = {
    val conf = new SparkConf().setAppName(name)
    if (conf.get("spark.serializer", "").endsWith("KryoSerializer")) {
      GraphXUtils.registerKryoClasses(conf)
    }
    conf
  }

  private def json(value: Any): String = new ObjectMapper().writeValueAsString(java(value))

  private def java(value: Any): Any = value match {
    case map: Map[_, _] =>
      val fields = new _root_.java.util.LinkedHashMap[String, Any]
      map.foreach { case (key, field) => fields.put(key.toString, java(field)) }
      fields
    case other => other
  }
}
