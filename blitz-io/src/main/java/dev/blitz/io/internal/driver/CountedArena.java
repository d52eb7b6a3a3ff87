package dev.blitz.io.internal.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Native memory that a backend must give back: a shared arena that is known until it is closed, so
 * that tests can tell what was left behind. Everything that the garbage collector does not free
 * comes from here.
 */
public final class CountedArena implements Arena {
  private static final Set<CountedArena> OPEN = ConcurrentHashMap.newKeySet();

  private final Arena arena = Arena.ofShared();
  private final List<Runnable> afterwards = new ArrayList<>();
  private final String purpose;

  private CountedArena(String purpose) {
    this.purpose = purpose;
  }

  /** {@code purpose}: a few words for whoever finds it open. */
  public static CountedArena open(String purpose) {
    var opened = new CountedArena(purpose);
    OPEN.add(opened);
    return opened;
  }

  /** What those are for that are open now. */
  public static List<String> purposesOfOpen() {
    return OPEN.stream().map(Object::toString).toList();
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    return arena.allocate(byteSize, byteAlignment);
  }

  @Override
  public MemorySegment.Scope scope() {
    return arena.scope();
  }

  /**
   * {@code step}: made when nobody can use the memory any more. Unlike an action of a segment's own
   * the arena takes no memory for it. By who has just opened this.
   */
  public void afterClose(Runnable step) {
    afterwards.add(step);
  }

  @Override
  public void close() {
    arena.close();
    closeFrom(0);
    OPEN.remove(this); // only what is freed does not count
  }

  /** Each also if another fails. */
  private void closeFrom(int first) {
    if (first < afterwards.size()) {
      try {
        afterwards.get(first).run();
      } finally {
        closeFrom(first + 1);
      }
    }
  }

  /** It will never be closed, and that is known: the kernel may still write to it. */
  public void abandon() {
    OPEN.remove(this);
  }

  @Override
  public String toString() {
    return purpose + " @" + Integer.toHexString(System.identityHashCode(this));
  }
}
