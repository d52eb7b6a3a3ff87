package dev.blitz.io.sync;

import dev.blitz.stress.ModelCheck;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** The lock without waiting; an unlock of what is not held answers false. */
public class RwLockLincheckTest {
  private final RwLock lock = RwLock.create();

  /** One more reader. */
  @Operation
  public boolean tryRead() {
    return lock.tryRead();
  }

  /** The writer. */
  @Operation
  public boolean tryWrite() {
    return lock.tryWrite();
  }

  /** One reader less. */
  @Operation
  public boolean unlockRead() {
    return allowed(lock::unlockRead);
  }

  /** No writer. */
  @Operation
  public boolean unlockWrite() {
    return allowed(lock::unlockWrite);
  }

  /** The writer reads on. */
  @Operation
  public boolean downgrade() {
    return allowed(lock::downgrade);
  }

  private static boolean allowed(Runnable unlock) {
    try {
      unlock.run();
      return true;
    } catch (IllegalStateException notHeld) {
      return false;
    }
  }

  @Test
  void rwLock_isLinearisable() {
    ModelCheck.check(new ModelCheckingOptions().threads(3).actorsPerThread(2), getClass());
  }
}
