package org.ztera.jvmtests.child;

/** An object of the test graphs: a value, two typed references and one of any type. */
public class Node {
    /** Identifies the node in checks. */
    public long value;
    /** Next in a list, left in a tree. */
    public Node left;
    /** Right in a tree. */
    public Node right;
    /** Anything. */
    public volatile Object payload;

    /** A node that refers to nothing. */
    public Node(long value) {
        this.value = value;
    }
}
