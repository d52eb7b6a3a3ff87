package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What only {@link Bytes#copy} may call, for tests of kinds of streams. */
public final class Transfers {
  private Transfers() {}

  /** {@link GuardedStream#directInput}. */
  public static @Nullable DirectInput input(GuardedStream from) {
    return from.directInput();
  }

  /** {@link GuardedStream#doTransfer}. */
  public static long transfer(BufferedByteWriter to, Context cx, DirectInput input)
      throws IOException {
    return to.doTransfer(cx, input);
  }

  /** How many bytes wait in {@code writer}. */
  public static int waiting(BufferedByteWriter writer) {
    return writer.waiting();
  }

  /** See {@link GuardedStream#doTransfer}. */
  public static long transfer(GuardedStream to, Context cx, DirectInput from) throws IOException {
    return to.doTransfer(cx, from);
  }
}
