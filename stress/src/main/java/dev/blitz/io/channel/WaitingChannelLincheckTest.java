package dev.blitz.io.channel;

import dev.blitz.stress.ModelCheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Receives and sends that stay queued: whoever brings something calls one of them. */
@Param(name = "value", gen = IntGen.class, conf = "1:9")
public class WaitingChannelLincheckTest {
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

  /** One poll of a receive that goes on waiting. */
  @Operation
  public String receive() {
    return channel.receive(false);
  }

  /** One poll of a send that goes on waiting. */
  @Operation
  public String send(@Param(name = "value") int value) {
    return channel.send(value, false);
  }

  /** Accepts nothing more. */
  @Operation
  public void close() {
    channel.close();
  }

  /** Who waits has been told of everything. */
  @Validate
  public void nobodyIsForgotten() {
    channel.nobodyIsForgotten();
  }

  @Test
  void channel_isLinearisable_andForgetsNobody() {
    // Few operations: the interleavings of two that miss each other are then tried out in full, and
    // none that come later hide it by waking the one that was forgotten.
    var shape = new ModelCheckingOptions().threads(2).actorsPerThread(2);
    ModelCheck.check(shape.actorsBefore(1).actorsAfter(0), getClass());
  }
}
