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

import scala.jdk.CollectionConverters._
import scala.reflect.runtime.universe.TypeTag

import io.trino.tpch.{Distributions, LineItemGenerator, OrderGenerator, TextPool}
import org.apache.spark.sql.{DataFrame, SparkSession}

/** A row of TPC-H's lineitem. Money is in cents, discount and tax in percent, dates in days since 1970. */
final case class Line(
    orderKey: Long, partKey: Long, supplierKey: Long, number: Int, quantity: Long, price: Long, discount: Long, tax: Long,
    returned: String, status: String, shipped: Int, committed: Int, received: Int, instructions: String, mode: String,
    comment: String)

/** A row of TPC-H's orders. */
final case class Order(
    orderKey: Long, customerKey: Long, status: String, total: Long, ordered: Int, priority: String, clerk: String,
    shipPriority: Int, comment: String)

/** Two tables of TPC-H, by the generator of the Trino project. */
object Tpch {

  /** Orders at scale 1. */
  private val Orders = OrderGenerator.SCALE_BASE.toDouble

  /** The generator's own pool has 300 MB, which each executor would keep. */
  private lazy val comments = new TextPool(8 << 20, Distributions.getDefaultDistributions)

  def lines(spark: SparkSession, orders: Int, partitions: Int): DataFrame = table(spark, partitions) { part =>
    new LineItemGenerator(orders / Orders, part, partitions, Distributions.getDefaultDistributions, comments).iterator.asScala
      .map(line => Line(
        line.getOrderKey, line.getPartKey, line.getSupplierKey, line.getLineNumber, line.getQuantity,
        line.getExtendedPriceInCents, line.getDiscountPercent, line.getTaxPercent, line.getReturnFlag, line.getStatus,
        line.getShipDate, line.getCommitDate, line.getReceiptDate, line.getShipInstructions, line.getShipMode, line.getComment))
  }

  def orders(spark: SparkSession, orders: Int, partitions: Int): DataFrame = table(spark, partitions) { part =>
    new OrderGenerator(orders / Orders, part, partitions, Distributions.getDefaultDistributions, comments).iterator.asScala
      .map(order => Order(
        order.getOrderKey, order.getCustomerKey, order.getOrderStatus.toString, order.getTotalPriceInCents, order.getOrderDate,
        order.getOrderPriority, order.getClerk, order.getShipPriority, order.getComment))
  }

  private def table[R <: Product: TypeTag](spark: SparkSession, partitions: Int)(rows: Int => Iterator[R])
      (implicit tag: scala.reflect.ClassTag[R]): DataFrame =
    spark.createDataFrame(spark.sparkContext.parallelize(1 to partitions, partitions).flatMap(rows))
}
