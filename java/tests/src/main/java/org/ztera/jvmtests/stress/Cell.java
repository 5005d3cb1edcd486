package org.ztera.jvmtests.stress;

/** A node of the stress program's graphs. What it must contain is told by the {@link Shadow}, under its id. */
final class Cell {
    /** Never used twice in a thread's life; the id is, after the cell has become unreachable. */
    final long uid;
    /** Index into the shadow. */
    final int id;
    long value;
    int locked;
    Cell a;
    Cell b;
    Object payload;

    Cell(long uid, int id) {
        this.uid = uid;
        this.id = id;
    }
}
