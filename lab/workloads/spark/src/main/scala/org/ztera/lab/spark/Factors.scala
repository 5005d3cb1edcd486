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

import scala.util.Random

import org.apache.spark.mllib.recommendation.{ALS, Rating}
import org.apache.spark.sql.SparkSession

/**
 * MLlib's alternating least squares. Each user rates forty of as many products as there are users. The answer is the
 * mean square of the users' factors.
 */
object Factors extends Workload {
  private val PerUser = 40
  private val Rank = 10

  def load(spark: SparkSession, options: Options): () => BigDecimal = {
    val ratings = spark.sparkContext.parallelize(0 until options.size, options.partitions)
      .flatMap(user => rated(user, options.size, options.seed))
      .persist(options.level)
    ratings.count()
    val als = new ALS()
      .setRank(Rank).setIterations(options.iterations).setLambda(0.1).setSeed(options.seed)
      .setBlocks(math.max(2, options.partitions / 2))
      .setIntermediateRDDStorageLevel(options.level).setFinalRDDStorageLevel(options.level)
    () => Workload.rounded(als.run(ratings).userFeatures.values.map(_.map(x => x * x).sum).sum() / options.size)
  }

  /** From 1 to 5 stars, by two tastes that user and product share. */
  private def rated(user: Int, products: Int, seed: Int): Iterator[Rating] = {
    val random = new Random(seed.toLong << 32 | user)
    Iterator.fill(PerUser)(random.nextInt(products)).map { product =>
      val stars = 3 + taste(user, 1) * taste(product, 2) + taste(user, 3) * taste(product, 4)
      Rating(user, product, math.rint(2 * stars) / 2)
    }
  }

  /** From -1 to 1. */
  private def taste(of: Int, kind: Int): Double = (of * 40503L + kind * 7919L) % 201 / 100.0 - 1
}
