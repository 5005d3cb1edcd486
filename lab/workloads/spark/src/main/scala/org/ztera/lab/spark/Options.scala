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

import org.apache.spark.storage.StorageLevel

/**
 * The options of one run.
 *
 * @param size vertices, points, users or orders
 * @param storage the level that the data are cached with
 * @param partitions of the data
 * @param features how well points compress
 */
final case class Options(
    size: Int,
    storage: String,
    partitions: Int,
    iterations: Int,
    features: Features = Features.Uniform,
    seed: Int = 1) {

  require(size > 0 && partitions > 0 && iterations > 0, "sizes, partitions and iterations are positive numbers")

  val level: StorageLevel = StorageLevel.fromString(storage)
}

object Options {

  /** Reads `--name value` pairs. Throws IllegalArgumentException with the reason. */
  def parse(arguments: List[String]): Options = {
    val found = pairs(arguments)
    val unknown = found.keySet -- Set("size", "storage", "partitions", "iterations", "data", "seed")
    require(unknown.isEmpty, s"unknown option: --${unknown.mkString(", --")}")
    def number(name: String): Int = found.get(name).flatMap(_.toIntOption).getOrElse(throw missing(name, "a whole number"))
    Options(
      number("size"),
      found.getOrElse("storage", throw missing("storage", "a storage level of Spark")),
      number("partitions"),
      number("iterations"),
      found.get("data").fold[Features](Features.Uniform)(Features.named),
      if (found.contains("seed")) number("seed") else 1)
  }

  private def missing(name: String, value: String) = new IllegalArgumentException(s"--$name needs $value")

  private def pairs(arguments: List[String]): Map[String, String] = arguments match {
    case name :: value :: rest if name.startsWith("--") => pairs(rest) + (name.drop(2) -> value)
    case Nil => Map.empty
    case other :: _ => throw new IllegalArgumentException(s"not an option with a value: $other")
  }
}
