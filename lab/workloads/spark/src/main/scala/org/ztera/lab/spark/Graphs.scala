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

import scala.reflect.ClassTag

import org.apache.spark.graphx.{Edge, Graph}
import org.apache.spark.graphx.util.GraphGenerators
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.apache.spark.storage.StorageLevel

/** Graphs whose vertices have log-normal degrees, with the parameters of SparkBench. */
object Graphs {
  private val Mu = 4.0
  private val Sigma = 1.3

  /**
   * Edges between `options.size` vertices.
   *
   * @param islands parts of equal size, without an edge between two of them
   */
  def edges(spark: SparkSession, options: Options, islands: Int = 1): RDD[Edge[Int]] =
    spark.sparkContext.union(for (island <- 0 until islands) yield {
      val size = options.size / islands
      val first = island.toLong * size
      generate(spark, size, math.max(1, options.partitions / islands), options.seed + island)
        .map(edge => Edge(first + edge.srcId, first + edge.dstId, 1))
    })

  private def generate(spark: SparkSession, size: Int, partitions: Int, seed: Int): RDD[Edge[Int]] = {
    val generated = GraphGenerators.logNormalGraph(spark.sparkContext, size, partitions, Mu, Sigma, seed)
    generated.unpersist() // every graph marks itself to be cached, and this one is only read once
    generated.edges
  }

  /** The graph of these edges, in the cache. Its later generations inherit the level. */
  def cached[V: ClassTag, E: ClassTag](edges: RDD[Edge[E]], vertex: V, level: StorageLevel): Graph[V, E] = {
    val graph = Graph.fromEdges(edges, vertex, level, level).cache()
    graph.edges.count()
    graph.vertices.count()
    graph
  }
}
