package dev.blitz.io.channel;

import dev.blitz.stress.ModelCheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Two receivers of a broadcast that keeps two messages; each belongs to one thread. */
@Param(name = "value", gen = IntGen.class, conf = "1:9")
public class BroadcastLincheckTest {
  private final Broadcast<Integer> broadcast = Broadcast.create(2);
  private final BroadcastReceiver<Integer> first = broadcast.subscribe();
  private final BroadcastReceiver<Integer> second = broadcast.subscribe();

  /** To both. */
  @Operation
  public int send(@Param(name = "value") int value) {
    return broadcast.send(value);
  }

  /** The next one, none, or how many were missed. */
  @Operation(nonParallelGroup = "first")
  public String receiveFirst() {
    return receive(first);
  }

  /** The next one, none, or how many were missed. */
  @Operation(nonParallelGroup = "second")
  public String receiveSecond() {
    return receive(second);
  }

  private static String receive(BroadcastReceiver<Integer> receiver) {
    try {
      return String.valueOf(receiver.tryReceive());
    } catch (LaggedException e) {
      return "missed " + e.missed();
    }
  }

  @Test
  void broadcast_isLinearisable() {
    ModelCheck.check(new ModelCheckingOptions().threads(3).actorsPerThread(3), getClass());
  }
}
