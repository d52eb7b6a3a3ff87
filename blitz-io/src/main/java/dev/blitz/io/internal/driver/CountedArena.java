package dev.blitz.io.internal.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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

  @Override
  public void close() {
    arena.close();
    OPEN.remove(this); // only what is freed does not count
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
