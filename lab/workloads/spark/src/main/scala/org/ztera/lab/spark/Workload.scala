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

import java.math.MathContext

import org.apache.spark.sql.SparkSession

/** A program on cached data. */
trait Workload {

  /**
   * Builds the data from the seed, caches them with the storage level of the options, and makes Spark compute them.
   *
   * @return the iterations on these data; they return the answer, and run once
   */
  def load(spark: SparkSession, options: Options): () => BigDecimal
}

object Workload {

  /** By the name that the command line has for it. */
  val all: Map[String, Workload] = Map(
    "PageRank" -> PageRanks,
    "ConnectedComponents" -> Components,
    "ShortestPaths" -> Paths,
    "TriangleCount" -> Triangles,
    "SVDPlusPlus" -> Tastes,
    "LinearRegression" -> Regression.Linear,
    "LogisticRegression" -> Regression.Logistic,
    "SVM" -> Regression.SupportVectors,
    "ALS" -> Factors,
    "SQL" -> Reports)

  private val Digits = new MathContext(6)

  /** Spark adds up in the order in which tasks end, so a sum differs in its last bits. Six digits do not. */
  def rounded(value: Double): BigDecimal = BigDecimal(value).round(Digits)
}
