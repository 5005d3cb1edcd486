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

import org.apache.spark.graphx.{Edge, EdgeContext, Graph, VertexId}
import org.apache.spark.sql.SparkSession

/**
 * SVD++ on ratings of users, step by step as in GraphX. The answer is the root of the mean squared error.
 *
 * GraphX's own caches its graph with MEMORY_ONLY, and fails on ratings that are cached with another level. It also
 * starts from numbers without a seed.
 */
object Tastes extends Workload {
  private val Rank = 10
  private val Stars = 5

  /** Steps of all of a user's ratings add up: with longer ones, users of many ratings would diverge. */
  private val Step = 2e-5
  private val KeepBias = 0.005
  private val KeepFactors = 0.015

  /**
   * A user or an item.
   *
   * @param own factors
   * @param other a user's factors by the items that were rated; an item's part in that
   * @param norm one by the root of the number of ratings
   */
  final case class Taste(own: Array[Double], other: Array[Double], bias: Double, norm: Double)

  private type Tastes = Graph[Taste, Double]

  def load(spark: SparkSession, options: Options): () => BigDecimal = {
    val edges = Graphs.edges(spark, options)
      .map(edge => Edge(edge.srcId, options.size + edge.dstId, stars(edge.srcId, edge.dstId)))
    val graph = Graphs.cached(edges, start(options.seed), options.level)
    () => train(graph, options.iterations)
  }

  private def start(seed: Int): Taste = {
    val random = new Random(seed)
    Taste(Array.fill(Rank)(random.nextDouble()), Array.fill(Rank)(random.nextDouble()), 0.0, 0.0)
  }

  /** From 1 to 5: the user's opinion of all items, all users' opinion of the item, and a grain of chance. */
  private def stars(user: VertexId, item: VertexId): Double = {
    val opinion = user % 3 + item % 2 + (user * 31 + item * 17) % 2
    1.0 + opinion % Stars
  }

  private def train(graph: Tastes, iterations: Int): BigDecimal = {
    val count = graph.edges.count()
    val mean = graph.edges.map(_.attr).sum() / count
    var tastes = next(graph, biases(graph, mean))
    for (_ <- 0 until iterations) {
      tastes = next(tastes, users(tastes))
      tastes = next(tastes, steps(tastes, mean))
    }
    val errors = tastes.aggregateMessages[Double](rating => rating.sendToDst(math.pow(error(rating, mean), 2)), _ + _)
    Workload.rounded(math.sqrt(errors.values.sum() / count))
  }

  /** The next generation is in the cache before the last one leaves it. */
  private def next(last: Tastes, later: Tastes): Tastes = {
    later.cache()
    later.vertices.count()
    later.edges.count()
    last.unpersist()
    later
  }

  private def biases(graph: Tastes, mean: Double): Tastes = {
    val ratings = graph.aggregateMessages[(Long, Double)](
      rating => { rating.sendToSrc((1L, rating.attr)); rating.sendToDst((1L, rating.attr)) },
      (one, other) => (one._1 + other._1, one._2 + other._2))
    graph.joinVertices(ratings) { case (_, taste, (count, sum)) =>
      taste.copy(bias = sum / count - mean, norm = 1 / math.sqrt(count.toDouble))
    }
  }

  private def users(graph: Tastes): Tastes = {
    val rated = graph.aggregateMessages[Array[Double]](rating => rating.sendToSrc(rating.dstAttr.other), plus)
    graph.joinVertices(rated)((_, user, sum) => user.copy(other = plus(user.own, times(user.norm, sum))))
  }

  private def steps(graph: Tastes, mean: Double): Tastes = {
    val all = graph.aggregateMessages[Taste](step(_, mean), add)
    graph.joinVertices(all)((_, taste, change) => add(taste, change))
  }

  private def step(rating: EdgeContext[Taste, Double, Taste], mean: Double): Unit = {
    val (user, item) = (rating.srcAttr, rating.dstAttr)
    val wrong = error(rating, mean)
    def towards(factors: Array[Double], from: Array[Double], weight: Double) =
      times(Step, plus(times(weight, factors), times(-KeepFactors, from)))
    val other = towards(item.own, item.other, wrong * user.norm)
    rating.sendToSrc(Taste(towards(item.own, user.own, wrong), other, Step * (wrong - KeepBias * user.bias), 0.0))
    rating.sendToDst(Taste(towards(user.other, item.own, wrong), other, Step * (wrong - KeepBias * item.bias), 0.0))
  }

  private def error(rating: EdgeContext[Taste, Double, _], mean: Double): Double = {
    val (user, item) = (rating.srcAttr, rating.dstAttr)
    val guess = mean + user.bias + item.bias + item.own.zip(user.other).map { case (a, b) => a * b }.sum
    rating.attr - math.min(math.max(guess, 1.0), Stars.toDouble)
  }

  private def add(taste: Taste, change: Taste): Taste =
    Taste(plus(taste.own, change.own), plus(taste.other, change.other), taste.bias + change.bias, taste.norm + change.norm)

  private def plus(one: Array[Double], other: Array[Double]): Array[Double] = Array.tabulate(Rank)(i => one(i) + other(i))

  private def times(factor: Double, of: Array[Double]): Array[Double] = Array.tabulate(Rank)(i => factor * of(i))
}
