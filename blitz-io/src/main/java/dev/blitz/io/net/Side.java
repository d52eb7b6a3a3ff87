package dev.blitz.io.net;

import dev.blitz.io.internal.base.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One side of a socket: whoever operates on it owns it until its operation ends, so that there is
 * one at a time.
 */
/* Implementation notes
 *
 * owner: null -> operation (compareAndSet) when it begins, operation -> null (volatile) when it ends. That pair is also the
 * happens-before edge between two users of the endpoint's side.
 */
final class Side {
  private static final VarHandle OWNER = Fields.of(MethodHandles.lookup(), "owner", Object.class);

  private final String operation;
  private volatile @Nullable Object owner;

  /** {@code operation}: a word for it, such as {@code read}. */
  Side(String operation) {
    this.operation = operation;
  }

  void claim(Object claimant) {
    if (!OWNER.compareAndSet(this, null, claimant)) {
      throw new IllegalStateException(
          "another "
              + operation
              + " is pending on this socket, and there can be one at a time: "
              + owner);
    }
  }

  void release() {
    owner = null;
  }
}
