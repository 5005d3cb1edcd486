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
package org.ztera.others.lucenetests;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.lucene101.Lucene101PostingsFormat;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.index.BaseFieldInfoFormatTestCase;
import org.apache.lucene.tests.index.BaseLiveDocsFormatTestCase;
import org.apache.lucene.tests.index.BaseNormsFormatTestCase;
import org.apache.lucene.tests.index.BasePointsFormatTestCase;
import org.apache.lucene.tests.index.BasePostingsFormatTestCase;
import org.apache.lucene.tests.index.BaseSegmentInfoFormatTestCase;
import org.apache.lucene.tests.index.BaseStoredFieldsFormatTestCase;
import org.apache.lucene.tests.index.BaseTermVectorsFormatTestCase;
import org.apache.lucene.tests.index.LegacyBaseDocValuesFormatTestCase;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;
import org.apache.lucene.tests.util.BaseBitSetTestCase;
import org.apache.lucene.tests.util.TestUtil;
import org.apache.lucene.util.BitSet;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.SparseFixedBitSet;
import org.apache.lucene.util.Version;

/**
 * Lucene publishes the test cases that each of its formats and directories has to pass, without the classes that name
 * the format. These name those of Lucene's default codec; all that is tested is in the test cases. Left out for the
 * time they take: vectors, compound files and doc values with skip lists.
 */
public final class Formats {
    private Formats() {
    }

    public static final class Postings extends BasePostingsFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.alwaysPostingsFormat(new Lucene101PostingsFormat());
        }
    }

    public static final class DocValues extends LegacyBaseDocValuesFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.getDefaultCodec();
        }
    }

    public static final class StoredFields extends BaseStoredFieldsFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.getDefaultCodec();
        }
    }

    public static final class TermVectors extends BaseTermVectorsFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.getDefaultCodec();
        }
    }

    public static final class Norms extends BaseNormsFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.getDefaultCodec();
        }
    }

    public static final class Points extends BasePointsFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.getDefaultCodec();
        }
    }

    public static final class LiveDocs extends BaseLiveDocsFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.getDefaultCodec();
        }
    }

    public static final class FieldInfos extends BaseFieldInfoFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.getDefaultCodec();
        }
    }

    public static final class SegmentInfos extends BaseSegmentInfoFormatTestCase {
        @Override
        protected Codec getCodec() {
            return TestUtil.getDefaultCodec();
        }

        @Override
        protected Version[] getVersions() {
            return new Version[] {Version.LATEST};
        }
    }

    public static final class DirectoryInHeap extends BaseDirectoryTestCase {
        @Override
        protected Directory getDirectory(Path path) {
            return new ByteBuffersDirectory();
        }
    }

    public static final class MappedDirectory extends BaseDirectoryTestCase {
        @Override
        protected Directory getDirectory(Path path) throws IOException {
            return new MMapDirectory(path);
        }
    }

    public static final class FixedBits extends BaseBitSetTestCase<FixedBitSet> {
        @Override
        public FixedBitSet copyOf(BitSet bits, int length) {
            FixedBitSet copy = new FixedBitSet(length);
            for (int i = 0; i < length; i++) {
                if (bits.get(i)) {
                    copy.set(i);
                }
            }
            return copy;
        }
    }

    public static final class SparseBits extends BaseBitSetTestCase<SparseFixedBitSet> {
        @Override
        public SparseFixedBitSet copyOf(BitSet bits, int length) {
            SparseFixedBitSet copy = new SparseFixedBitSet(length);
            for (int i = 0; i < length; i++) {
                if (bits.get(i)) {
                    copy.set(i);
                }
            }
            return copy;
        }
    }
}
