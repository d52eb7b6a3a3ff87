package dev.blitz.io.channel;

import dev.blitz.io.future.Context;
import dev.blitz.stress.ModelCheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A oneshot holds one value, for one receiver. */
@Param(name = "value", gen = IntGen.class, conf = "1:9")
public class OneshotLincheckTest {
  private final Oneshot<Integer> oneshot = Oneshot.create();

  /** Without waiting. */
  @Operation
  public SendResult trySend(@Param(name = "value") int value) {
    return oneshot.trySend(value);
  }

  /** Without waiting. */
  @Operation
  public @Nullable Integer tryReceive() {
    return oneshot.tryReceive();
  }

  /** One poll of a receive, which is dropped if it is pending. */
  @Operation(nonParallelGroup = "receiver")
  public String receiveOrDrop() {
    var receive = oneshot.receive();
    try {
      Integer value = receive.poll(Context.of(() -> {}));
      if (value != null) {
        return value.toString();
      }
    } catch (ChannelClosedException e) {
      return "closed";
    }
    receive.drop();
    return "pending";
  }

  /** Without a value. */
  @Operation
  public void close() {
    oneshot.close();
  }

  @Test
  void oneshot_isLinearisable() {
    ModelCheck.check(new ModelCheckingOptions().threads(3).actorsPerThread(2), getClass());
  }
}
