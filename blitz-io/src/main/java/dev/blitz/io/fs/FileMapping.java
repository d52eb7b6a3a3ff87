package dev.blitz.io.fs;

import dev.blitz.io.internal.base.StackRoom;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A part of a file in memory, to be read by any thread.
 *
 * {@snippet :
 * try (var index = file.map(0, length).await()) {
 *   long first = index.segment().get(ValueLayout.JAVA_LONG, 0);
 * }
 * }
 *
 * <p>Whoever reads what is not in the page cache waits for the disk, on its own thread: a worker
 * does so too. So map what is read again and again, or read it inside {@code spawnBlocking}.
 *
 * <p>A file that becomes shorter takes its bytes away. Reading behind its end then throws an {@link
 * InternalError}; the system's calls that are given such memory fail with "Bad address". Whether
 * writes are seen at once, or at all, is the system's affair, as in {@link
 * java.nio.MappedByteBuffer}.
 *
 * <p>It is mapped until this is closed: also if nobody has this any more.
 */
public final class FileMapping implements AutoCloseable {
  private final Path path;
  private final long position;
  private final MemorySegment segment;
  private final Arena arena;

  FileMapping(Path path, long position, MemorySegment segment, Arena arena) {
    this.path = path;
    this.position = position;
    this.segment = segment;
    this.arena = arena;
  }

  /** What is mapped, read-only; after a close each use throws {@link IllegalStateException}. */
  public MemorySegment segment() {
    return segment;
  }

  /** Where in the file it begins. */
  public long position() {
    return position;
  }

  /** How many bytes it has. */
  public long length() {
    return segment.byteSize();
  }

  /** Whether nobody has closed it. */
  public boolean isOpen() {
    return arena.scope().isAlive();
  }

  /**
   * Unmaps it, on this thread; a second time does nothing.
   *
   * @throws IllegalStateException if a call of the system uses it just now, a write of it for
   *     instance: then it stays mapped, and can be closed afterwards
   */
  @Override
  public void close() {
    StackRoom.forCalls(); // an arena that overflows is closed, and mapped
    try {
      arena.close();
    } catch (IllegalStateException e) {
      if (arena.scope().isAlive()) {
        throw e;
      } // else somebody has closed it before
    }
  }

  @Override
  public String toString() {
    return "FileMapping["
        + length()
        + " bytes at "
        + position
        + " of "
        + path
        + (isOpen() ? "]" : ", closed]");
  }
}
