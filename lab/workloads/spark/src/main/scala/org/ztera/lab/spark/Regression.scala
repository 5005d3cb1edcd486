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

import org.apache.spark.SparkContext
import org.apache.spark.mllib.linalg.Vectors
import org.apache.spark.mllib.optimization._
import org.apache.spark.mllib.regression.LabeledPoint
import org.apache.spark.mllib.util.{LinearDataGenerator, LogisticRegressionDataGenerator}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession

/**
 * Gradient descent of MLlib: each iteration reads all points. The answer is the loss of the last iteration.
 *
 * Newer regressions of Spark cache a copy with a level of their own, so this is what SparkBench runs.
 */
abstract class Regression(gradient: Gradient, updater: Updater, step: Double) extends Workload {

  /** Points as MLlib makes them. */
  protected def points(context: SparkContext, options: Options): RDD[LabeledPoint]

  def load(spark: SparkSession, options: Options): () => BigDecimal = {
    val shape = options.features
    val cached = points(spark.sparkContext, options)
      .map(point => LabeledPoint(point.label, shape(point.features)))
      .persist(options.level)
    cached.count()
    () => {
      val data = cached.map(point => (point.label, point.features))
      val start = Vectors.zeros(Regression.Dimensions)
      val (_, losses) = GradientDescent.runMiniBatchSGD(data, gradient, updater, step, options.iterations, 0.01, 1.0, start, 0.0)
      Workload.rounded(losses.last)
    }
  }
}

object Regression {
  val Dimensions = 100
  private val Noise = 0.1

  object Linear extends Regression(new LeastSquaresGradient, new SimpleUpdater, 1.0) {
    protected def points(context: SparkContext, options: Options): RDD[LabeledPoint] =
      LinearDataGenerator.generateLinearRDD(context, options.size, Dimensions, Noise, options.partitions)
  }

  object Logistic extends Regression(new LogisticGradient, new SquaredL2Updater, 1.0) {
    protected def points(context: SparkContext, options: Options): RDD[LabeledPoint] =
      LogisticRegressionDataGenerator.generateLogisticRDD(context, options.size, Dimensions, Noise, options.partitions)
  }

  /** MLlib's SVMDataGenerator writes files; this is what it writes. */
  object SupportVectors extends Regression(new HingeGradient, new SquaredL2Updater, 1.0) {
    protected def points(context: SparkContext, options: Options): RDD[LabeledPoint] = {
      val weights = { val random = new Random(options.seed); Array.fill(Dimensions)(random.nextGaussian()) }
      context.parallelize(0 until options.size, options.partitions).map { index =>
        val random = new Random(options.seed + 1 + index)
        val features = Array.fill(Dimensions)(random.nextDouble() * 2.0 - 1.0)
        val side = features.zip(weights).map { case (x, w) => x * w }.sum + random.nextGaussian() * Noise
        LabeledPoint(if (side < 0) 0.0 else 1.0, Vectors.dense(features))
      }
    }
  }
}
