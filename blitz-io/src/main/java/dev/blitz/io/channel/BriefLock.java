package dev.blitz.io.channel;

import dev.blitz.io.internal.base.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock that is held for some instructions, in which no foreign code runs and no virtual thread
 * can leave its carrier. So those who want it spin, and a virtual thread among them may leave its
 * carrier meanwhile. It is unlocked by a store, which unlike a call cannot overflow a stack.
 *
 * {@snippet :
 * lock();
 * try {
 *   // calls, as long as nothing has been changed; then changes, and no calls
 * } finally {
 *   locked = false;
 * }
 * }
 *
 * Not reentrant. {@code locked} is set by a CAS and reset by a volatile store: what was done under
 * the lock happens before what the next owner does.
 */
abstract class BriefLock extends Owed {
  private static final VarHandle LOCKED =
      Fields.of(MethodHandles.lookup(), "locked", boolean.class);

  volatile boolean locked;

  /** To be followed at once by a try whose finally says {@code locked = false}. */
  final void lock() {
    for (int spins = 0; locked || !LOCKED.compareAndSet(this, false, true); spins++) {
      Spin.once(spins);
    }
  }
}
