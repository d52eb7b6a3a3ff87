package dev.blitz.io.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Waker;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/**
 * A direction that uses up the budget of each poll does not keep the other one waiting for ever.
 */
@Strict
@OnceIsEnough
class CopyFairShareTest {
  /** Always has bytes and always has room. */
  private static final class Endless extends GuardedStream {
    private long written;

    @Override
    protected int doRead(Context cx, ByteBuffer target) {
      if (!cx.proceed()) {
        return PENDING;
      }
      int n = target.remaining();
      target.position(target.limit());
      return n;
    }

    @Override
    protected int doWrite(Context cx, ByteBuffer source) {
      if (!cx.proceed()) {
        return PENDING;
      }
      int n = source.remaining();
      source.position(source.limit());
      written += n;
      return n;
    }

    @Override
    protected boolean doFlush(Context cx) {
      return true;
    }

    @Override
    protected boolean doShutdown(Context cx) {
      return true;
    }

    @Override
    public void forgetRead() {}

    @Override
    public void forgetWrite() {}

    @Override
    public void shutdownInput() {}

    @Override
    public void close() {}
  }

  /** The budget of one poll. */
  private static final class OnePoll implements Context {
    private int left = 8;

    @Override
    public Waker waker() {
      return () -> {};
    }

    @Override
    public boolean proceed() {
      return left-- > 0;
    }

    @Override
    public void refund() {
      left++;
    }
  }

  @Test
  void bothWays_haveTheirShare() throws Exception {
    var one = new Endless();
    var other = new Endless();
    var proxy = Bytes.copyBothWays(one, other);
    for (int polls = 0; polls < 4; polls++) {
      assertThat(proxy.poll(new OnePoll())).isNull();
    }
    proxy.drop();
    assertThat(other.written).as("there").isPositive();
    assertThat(one.written).as("back").isPositive();
  }
}
