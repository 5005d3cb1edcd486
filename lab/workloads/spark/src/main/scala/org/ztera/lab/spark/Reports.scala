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

import java.time.LocalDate

import org.apache.spark.sql.{DataFrame, SparkSession}

/**
 * TPC-H's queries 1, 6 and 12 on cached tables, for another year in each iteration. The answer is the sum of all
 * numbers in all results; all of them are whole numbers.
 */
object Reports extends Workload {
  private val FirstYear = 1993
  private val Years = 5

  def load(spark: SparkSession, options: Options): () => BigDecimal = {
    spark.conf.set("spark.sql.shuffle.partitions", options.partitions.toLong)
    cache(Tpch.lines(spark, options.size, options.partitions), "lineitem", options)
    cache(Tpch.orders(spark, options.size, options.partitions), "orders", options)
    () => (0 until options.iterations).map(round => report(spark, FirstYear + round % Years)).sum
  }

  private def cache(table: DataFrame, name: String, options: Options): Unit =
    { table.persist(options.level).createOrReplaceTempView(name); table.count() }

  private def report(spark: SparkSession, year: Int): BigDecimal = {
    val from = LocalDate.of(year, 1, 1).toEpochDay
    val to = LocalDate.of(year + 1, 1, 1).toEpochDay
    Seq(pricing(to), revenue(from, to), shipping(from, to)).map(query => numbers(spark.sql(query))).sum
  }

  private def numbers(result: DataFrame): BigDecimal =
    result.collect().flatMap(_.toSeq).collect { case number: Long => BigDecimal(number) }.sum

  private def pricing(to: Long) = s"""
    SELECT returned, status, sum(quantity), sum(price), sum(price * (100 - discount)), sum(price * (100 - discount) * (100 + tax)),
      sum(discount), count(*)
    FROM lineitem WHERE shipped < $to GROUP BY returned, status"""

  private def revenue(from: Long, to: Long) = s"""
    SELECT sum(price * discount) FROM lineitem
    WHERE shipped >= $from AND shipped < $to AND discount BETWEEN 5 AND 7 AND quantity < 24"""

  private def shipping(from: Long, to: Long) = s"""
    SELECT mode, count_if(priority IN ('1-URGENT', '2-HIGH')), count_if(priority NOT IN ('1-URGENT', '2-HIGH'))
    FROM orders JOIN lineitem USING (orderKey)
    WHERE mode IN ('MAIL', 'SHIP') AND committed < received AND shipped < committed AND received >= $from AND received < $to
    GROUP BY mode"""
}
