package dev.blitz.io.internal.file;

import dev.blitz.io.internal.blocking.BlockingPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A call on the lane that has a value. */
final class LaneCall<T> extends LaneOperation {
  private final FileDriver.Call<? extends T> call;
  private final FileDriver.Discard<? super T> discard;
  private @Nullable T value;
  private boolean taken;

  LaneCall(
      BlockingPool pool,
      String operation,
      Object path,
      FileDriver.Call<? extends T> call,
      FileDriver.Discard<? super T> discard) {
    super(pool, null, operation, path);
    this.call = call;
    this.discard = discard;
  }

  @Override
  long run() throws IOException {
    value = call.make();
    return 0;
  }

  /** The value, which is the caller's from now on. */
  T take() {
    taken = true;
    return Objects.requireNonNull(value, "value");
  }

  @Override
  protected boolean changesFile() {
    return false;
  }

  @Override
  protected void giveBack() {
    T left = value;
    value = null;
    if (left != null && !taken) {
      discard.close(left);
    }
  }

  @Override
  public ByteBuffer bytes() {
    throw new UnsupportedOperationException("no bytes");
  }
}
