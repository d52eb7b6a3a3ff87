package dev.blitz.io.channel;

import dev.blitz.stress.ModelCheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A channel of segments of two cells: a queue that can be closed. */
@Param(name = "value", gen = IntGen.class, conf = "1:9")
public class UnboundedChannelLincheckTest {
  private final LincheckChannel channel = new LincheckChannel(new SegmentedBuffer<>(2, 0));

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
    ModelCheck.check(new ModelCheckingOptions().threads(3).actorsPerThread(3), getClass());
  }
}
