package dev.blitz.io.channel;

import dev.blitz.io.future.Context;
import dev.blitz.stress.ModelCheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** A value, and one who watches it. */
@Param(name = "value", gen = IntGen.class, conf = "1:9")
public class WatchLincheckTest {
  private final Watch<Integer> watch = Watch.of(0);
  private final WatchReceiver<Integer> receiver = watch.subscribe();

  /** Replaces the value; says whether it was open. */
  @Operation
  public boolean send(@Param(name = "value") int value) {
    try {
      watch.send(value);
      return true;
    } catch (ChannelClosedException e) {
      return false;
    }
  }

  /** The latest. */
  @Operation
  public int borrow() {
    return watch.borrow();
  }

  /** One poll for a change, dropped if it is pending. */
  @Operation(nonParallelGroup = "receiver")
  public String changed() {
    var changed = receiver.changed();
    try {
      Integer value = changed.poll(Context.of(() -> {}));
      if (value != null) {
        return value.toString();
      }
    } catch (ChannelClosedException e) {
      return "closed";
    }
    changed.drop();
    return "unchanged";
  }

  /** Nothing more. */
  @Operation
  public void close() {
    watch.close();
  }

  @Test
  void watch_isLinearisable() {
    ModelCheck.check(new ModelCheckingOptions().threads(3).actorsPerThread(2), getClass());
  }
}
