package dev.blitz.io.channel;

import dev.blitz.stress.ModelCheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A channel of capacity 1: a queue that can be full and closed, and forgets nobody. */
@Param(name = "value", gen = IntGen.class, conf = "1:9")
public class BoundedChannel1LincheckTest {
  private final LincheckChannel channel = new LincheckChannel(new BoundedRing<>(1));

  /** Without waiting. */
  @Operation
  public SendResult trySend(@Param(name = "value") int value) {
    return channel.trySend(value);
  }

  /** Without waiting. */
  @Operation
  public @Nullable Integer tryReceive() {
    return channel.tryReceive();
  }

  /** One poll of a receive that is dropped if it is pending. */
  @Operation
  public String receiveOrDrop() {
    return channel.receive(true);
  }

  /** One poll of a send that is dropped if it is pending. */
  @Operation
  public String sendOrDrop(@Param(name = "value") int value) {
    return channel.send(value, true);
  }

  /** Accepts nothing more. */
  @Operation
  public void close() {
    channel.close();
  }

  /** The final state. */
  @Operation
  public boolean isDrained() {
    return channel.isDrained();
  }

  /** Who waits has been told of everything. */
  @Validate
  public void nobodyIsForgotten() {
    channel.nobodyIsForgotten();
  }

  @Test
  void channel_isLinearisable() {
    ModelCheck.check(new ModelCheckingOptions().threads(3).actorsPerThread(2), getClass());
  }
}
