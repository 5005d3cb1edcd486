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

import org.apache.spark.graphx.{Edge, Graph}
import org.apache.spark.graphx.lib.{ShortestPaths, TriangleCount}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession

/** GraphX's PageRank. The answer is the sum of squared ranks. */
object PageRanks extends Workload {
  def load(spark: SparkSession, options: Options): () => BigDecimal = {
    val graph = Graphs.cached(Graphs.edges(spark, options), 1, options.level)
    () => Workload.rounded(graph.staticPageRank(options.iterations).vertices.map { case (_, rank) => rank * rank }.sum())
  }
}

/** GraphX's ConnectedComponents on up to eight islands. The answer is the sum of all vertices' component numbers. */
object Components extends Workload {
  private val Islands = 8

  def load(spark: SparkSession, options: Options): () => BigDecimal = {
    val edges = Graphs.edges(spark, options, math.min(Islands, options.partitions))
    val graph = Graphs.cached(edges, 1, options.level)
    () => graph.connectedComponents(options.iterations).vertices.values.fold(0L)(_ + _)
  }
}

/**
 * GraphX's ShortestPaths, once per iteration, to five other landmarks each time. The answer is the sum of all
 * distances.
 */
object Paths extends Workload {
  private val Landmarks = 5

  def load(spark: SparkSession, options: Options): () => BigDecimal = {
    val graph = Graphs.cached(Graphs.edges(spark, options), 1, options.level)
    () => (0 until options.iterations).map(distances(graph, _, options.size)).sum
  }

  private def distances(graph: Graph[Int, Int], round: Int, size: Int): Long = {
    val landmarks = (0 until Landmarks).map(i => (round * Landmarks + i).toLong % size)
    val paths = ShortestPaths.run(graph, landmarks)
    val sum = paths.vertices.values.map(_.values.map(_.toLong).sum).fold(0L)(_ + _)
    paths.unpersist()
    sum
  }
}

/** GraphX's TriangleCount, once per iteration. The answer is the number of triangles, counted each time. */
object Triangles extends Workload {
  def load(spark: SparkSession, options: Options): () => BigDecimal = {
    val graph = Graphs.cached(canonical(Graphs.edges(spark, options), options.partitions), 1, options.level)
    () => (0 until options.iterations).map(_ => corners(graph) / 3).sum
  }

  /** Each pair of neighbours once, as TriangleCount wants them. */
  private def canonical(edges: RDD[Edge[Int]], partitions: Int): RDD[Edge[Int]] =
    edges.filter(edge => edge.srcId != edge.dstId)
      .map(edge => (math.min(edge.srcId, edge.dstId), math.max(edge.srcId, edge.dstId)))
      .distinct(partitions)
      .map { case (one, other) => Edge(one, other, 1) }

  private def corners(graph: Graph[Int, Int]): Long =
    TriangleCount.runPreCanonicalized(graph).vertices.values.map(_.toLong).fold(0L)(_ + _)
}
