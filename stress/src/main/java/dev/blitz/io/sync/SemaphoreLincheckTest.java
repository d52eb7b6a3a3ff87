package dev.blitz.io.sync;

import dev.blitz.stress.ModelCheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** A semaphore of three permits, used without waiting: every answer has its place in one order. */
@Param(name = "n", gen = IntGen.class, conf = "1:2")
public class SemaphoreLincheckTest {
  private final Semaphore semaphore = Semaphore.create(2, 3);

  /** Takes. */
  @Operation
  public boolean tryAcquire(@Param(name = "n") int n) {
    return semaphore.tryAcquire(n);
  }

  /** Gives; false if that is too many. */
  @Operation
  public boolean release(@Param(name = "n") int n) {
    try {
      semaphore.release(n);
      return true;
    } catch (IllegalStateException tooMany) {
      return false;
    }
  }

  /** Gives as many as there is room for. */
  @Operation
  public int releaseUpTo(@Param(name = "n") int n) {
    return semaphore.releaseUpTo(n);
  }

  /** Takes some away. */
  @Operation
  public int forget(@Param(name = "n") int n) {
    return semaphore.forget(n);
  }

  /** Ends it. */
  @Operation
  public void close() {
    semaphore.close();
  }

  /** Looks. */
  @Operation
  public int availablePermits() {
    return semaphore.availablePermits();
  }

  @Test
  void semaphore_isLinearisable() {
    ModelCheck.check(new ModelCheckingOptions().threads(3).actorsPerThread(2), getClass());
  }
}
