package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link Source#chunk}. */
final class ChunkStage<T> extends TimedStage<T, List<T>> {
  private static final int FIRST_ROOM = 16;

  private final int size;
  private final @Nullable Duration longest;
  private List<T> chunk;

  /** What came after the chunk that was yielded last. */
  private @Nullable Exception failure;

  private ChunkStage(Stage<T> from, int size, @Nullable Duration longest) {
    super(from);
    this.size = size;
    this.longest = longest;
    this.chunk = newChunk();
  }

  static <T> Stage<List<T>> of(Source<T> source, int size, @Nullable Duration longest) {
    if (size < 1) {
      throw new IllegalArgumentException("a chunk has at least 1 item, not " + size);
    }
    if (longest != null) {
      StageTimer.checked(longest);
    }
    return new ChunkStage<>(Stage.of(source), size, longest);
  }

  private List<T> newChunk() {
    return new ArrayList<>(Math.min(size, FIRST_ROOM));
  }

  @Override
  @Nullable List<T> pull(Context cx) throws Exception {
    if (failure != null) {
      throw failure;
    }
    while (!from.ended) {
      T item;
      try {
        item = from.pull(cx);
      } catch (Exception e) {
        if (chunk.isEmpty()) {
          throw e;
        }
        failure = e;
        return full();
      }
      if (item == null) {
        if (!from.ended) {
          return isLate(cx) ? full() : null;
        }
      } else {
        chunk.add(item);
        if (chunk.size() == size) {
          return full();
        }
        if (longest != null && chunk.size() == 1) {
          timer.set(longest, cx);
        }
      }
    }
    if (chunk.isEmpty()) {
      ended = true;
      return null;
    }
    return full();
  }

  private boolean isLate(Context cx) {
    return timer.isSet() && timer.poll(cx);
  }

  private List<T> full() {
    List<T> full = Collections.unmodifiableList(chunk);
    chunk = newChunk();
    timer.unset();
    return full;
  }

  @Override
  void release() {
    super.release();
    chunk = List.of();
  }
}
