package dev.blitz.io.task;

import org.jspecify.annotations.Nullable;

/**
 * An element of a {@link LinkList}. The element carries the links itself, so joining and leaving a
 * list allocates nothing and takes constant time. All fields are guarded by the lock of the list.
 */
abstract class Link {
  @Nullable Link prev;
  @Nullable Link next;
  boolean linked;
}
