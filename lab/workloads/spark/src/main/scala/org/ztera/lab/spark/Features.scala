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

import org.apache.spark.mllib.linalg.{Vector, Vectors}

/** A change to the features of generated points, so that they compress as data of that kind do. */
sealed abstract class Features(val name: String) extends Serializable {
  def apply(generated: Vector): Vector
}

object Features {

  /** As MLlib's generators make them: random bits, which nothing compresses. */
  case object Uniform extends Features("uniform") {
    def apply(generated: Vector): Vector = generated
  }

  /** Multiples of 1/16, as measurements with few digits. */
  case object Quantised extends Features("quantised") {
    private val Steps = 16

    def apply(generated: Vector): Vector = Vectors.dense(generated.toArray.map(value => math.rint(value * Steps) / Steps))
  }

  /** About one in ten is there, the rest is zero. The last bits of a value choose. */
  case object Sparse extends Features("sparse") {
    private val OneIn = 10

    def apply(generated: Vector): Vector =
      Vectors.dense(generated.toArray.map(value => if (value.hashCode % OneIn == 0) value else 0.0)).toSparse
  }

  private val all = Seq(Uniform, Quantised, Sparse)

  def named(name: String): Features = all.find(_.name == name).getOrElse(
    throw new IllegalArgumentException(s"--data is one of ${all.map(_.name).mkString(", ")}, not $name"))
}
