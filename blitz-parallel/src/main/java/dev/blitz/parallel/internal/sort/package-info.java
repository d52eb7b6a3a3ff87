/**
 * The sorts. Each class sorts one kind of element: on a worker in parallel, on any other thread
 * alone. {@code docs/design/parallel-data.md} says which algorithm is used for what, and why.
 */
@NullMarked
package dev.blitz.parallel.internal.sort;

import org.jspecify.annotations.NullMarked;
