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

import org.apache.spark.sql.SparkSession
import org.junit.jupiter.api.{AfterAll, BeforeAll, TestInstance}
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource

/** All workloads on tiny data. The numbers are the answers of the first run ever. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkloadsTest {
  private var spark: SparkSession = _

  @BeforeAll
  def start(): Unit = spark = SparkSession.builder().master("local[2]").appName("workloads")
    .config("spark.ui.enabled", false).config("spark.driver.host", "localhost").config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.network.timeout", "900s").getOrCreate()

  @AfterAll
  def stop(): Unit = spark.stop()

  @ParameterizedTest
  @CsvSource(Array(
    "PageRank, 200, 4, uniform, 212.796",
    "ConnectedComponents, 400, 3, uniform, 60000",
    "ShortestPaths, 200, 2, uniform, 3907",
    "TriangleCount, 200, 1, uniform, 30664",
    "SVDPlusPlus, 200, 3, uniform, 2.32299",
    "LinearRegression, 2000, 4, uniform, 0.125796",
    "LinearRegression, 2000, 4, quantised, 0.126456",
    "LinearRegression, 2000, 4, sparse, 1.16014",
    "LogisticRegression, 2000, 4, uniform, 0.599256",
    "SVM, 2000, 4, uniform, 0.484587",
    "ALS, 500, 3, uniform, 3.62014",
    "SQL, 5000, 2, uniform, 437803276835406"))
  def theAnswerIsTheSameInEveryStorageLevel(name: String, size: Int, iterations: Int, data: String, expected: String): Unit = {
    val runs = Seq("MEMORY_ONLY", "MEMORY_AND_DISK_SER").map { level =>
      Run(spark, name, Options(size, level, partitions = 4, iterations, Features.named(data)))
    }

    val answers = runs.map(_("answer"))
    assertEquals(answers.head, answers.last)
    assertEquals(expected, answers.head)
  }
}
