package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The futures of the buffered writer. */
final class BufferedWrites {
  private BufferedWrites() {}

  /** One number, as a whole or not at all. */
  static final class OneNumber extends Writes.Write<Done> {
    private final BufferedByteWriter out;
    private final long value;
    private final int size;
    private final ByteOrder order;

    OneNumber(BufferedByteWriter out, long value, int size, ByteOrder order) {
      super(out);
      this.out = out;
      this.value = value;
      this.size = size;
      this.order = Objects.requireNonNull(order, "order");
    }

    @Override
    @Nullable Done attempt(Context cx) throws IOException {
      if (!cx.proceed()) {
        return null;
      }
      if (!out.makeRoom(cx, size)) {
        cx.refund();
        return null;
      }
      ByteBuffer room = out.room();
      int at = room.position();
      for (int i = 0; i < size; i++) {
        int next = order == ByteOrder.LITTLE_ENDIAN ? at + i : at + size - 1 - i;
        room.put(next, (byte) (value >>> (Byte.SIZE * i)));
      }
      room.position(at + size);
      return Done.DONE;
    }
  }
}
