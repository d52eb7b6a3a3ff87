package dev.blitz.io.internal.timer;

import dev.blitz.io.internal.base.CarrierHogs;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

@Strict
class WheelLockTest {

  /** It may have another lock, which workers would then wait for. */
  @Test
  void aVirtualThreadThatWaits_keepsItsCarrier() throws Exception {
    var lock = new WheelLock();
    try (var hogs = new CarrierHogs()) {
      Thread waiting;
      lock.lock();
      try {
        waiting =
            hogs.startBeforeTheLast(() -> {
              lock.lock();
              lock.unlock();
            });
        CarrierHogs.awaitInside(waiting, "lockSlowly");
      } finally {
        lock.unlock();
      }
      Await.until(() -> !waiting.isAlive(), "the virtual thread to get the free lock");
    }
  }
}
