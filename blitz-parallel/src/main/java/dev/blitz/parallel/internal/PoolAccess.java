package dev.blitz.parallel.internal;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How other packages of this library get from a pool, whose core is nobody else's business, to that
 * core. Every pool that is made writes the same; whoever has a pool comes after.
 */
public final class PoolAccess {
  private static volatile @Nullable Function<Object, PoolCore> access;

  private PoolAccess() {}

  /**
   * Called by the class of pools.
   *
   * @param function from a pool to its core
   */
  public static void install(Function<Object, PoolCore> function) {
    access = function;
  }

  /**
   * The core of a pool.
   *
   * @return its core
   */
  public static PoolCore core(Object pool) {
    return Objects.requireNonNull(access, "no pool can exist yet").apply(pool);
  }
}
