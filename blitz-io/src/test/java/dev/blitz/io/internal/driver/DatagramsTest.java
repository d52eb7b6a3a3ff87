package dev.blitz.io.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.Waker;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A batch, and how endpoints that have no call for it serve it. */
@Strict
@OnceIsEnough
class DatagramsTest {
  private static final Waker NOBODY = () -> {};

  private static final SocketAddress SENDER =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);

  /** What its calls answer is said before: a number of bytes, or a failure. */
  private static final class Scripted implements DatagramEndpoint {
    final Queue<Object> answers = new ArrayDeque<>();
    final List<@Nullable Waker> wakers = new ArrayList<>();

    private int next(@Nullable Waker waker) throws IOException {
      wakers.add(waker);
      Object answer = answers.isEmpty() ? PENDING : answers.remove();
      if (answer instanceof IOException e) {
        throw e;
      }
      return (Integer) answer;
    }

    @Override
    public int pollSend(ByteBuffer source, @Nullable SocketAddress to, @Nullable Waker waker)
        throws IOException {
      return next(waker);
    }

    @Override
    public int pollReceive(
        ByteBuffer target, boolean peek, @Nullable Sender from, @Nullable Waker waker)
        throws IOException {
      int n = next(waker);
      if (n > 0) {
        target.put(0, (byte) n);
      }
      if (from != null) {
        from.address = SENDER;
      }
      return n;
    }

    @Override
    public void connect(@Nullable SocketAddress remote) {}

    @Override
    public SocketAddress remoteAddress() {
      return SENDER;
    }

    @Override
    public void member(InetAddress group, NetworkInterface by, boolean joins) {}

    @Override
    public void forgetReader() {}

    @Override
    public void forgetWriter() {}

    @Override
    public void awaitClose(Waker waker) {}

    @Override
    public <T> void setOption(SocketOption<T> option, T value) {}

    @Override
    public <T> T option(SocketOption<T> option) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void bind(SocketAddress local) {}

    @Override
    public SocketAddress localAddress() {
      return SENDER;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  private final Scripted endpoint = new Scripted();
  private final Datagrams batch = new Datagrams(3, 4);

  private void add(String text) {
    batch.add(null, ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
  }

  @Test
  void onlyTheFirstReceiveWaits_andNoneIsMadeBeyondTheRoom() throws Exception {
    endpoint.answers.addAll(List.of(1, 2, 9, 4));
    assertThat(endpoint.pollReceiveMany(batch, NOBODY)).isEqualTo(3);
    assertThat(endpoint.wakers).containsExactly(NOBODY, null, null);
    assertThat(batch.length(2)).as("its own length").isEqualTo(9);
    assertThat(batch.bytes(2).remaining()).as("what there is room for").isEqualTo(4);
    assertThat(batch.bytes(1).get(0)).isEqualTo((byte) 2);
    assertThat(endpoint.pollReceiveMany(batch, NOBODY)).isEqualTo(1);
    assertThat(batch.size()).isEqualTo(1);
  }

  @Test
  void aReceiveInVain_leavesTheBatchAsItWas() throws Exception {
    add("mine");
    assertThat(endpoint.pollReceiveMany(batch, NOBODY)).isEqualTo(DatagramEndpoint.PENDING);
    endpoint.answers.add(new SocketException("refused"));
    assertThatThrownBy(() -> endpoint.pollReceiveMany(batch, NOBODY))
        .isInstanceOf(SocketException.class);
    assertThat(batch.size()).isEqualTo(1);
    assertThat(batch.takeFailure()).isNull();
  }

  @Test
  void aFailureAfterTheFirst_isKept_andTakenOnce() throws Exception {
    var failure = new SocketException("refused");
    endpoint.answers.addAll(List.of(1, failure, 2));
    assertThat(endpoint.pollReceiveMany(batch, NOBODY)).isEqualTo(1);
    assertThat(batch.takeFailure()).isSameAs(failure);
    assertThat(batch.takeFailure()).isNull();
  }

  @Test
  void whatWasSent_leaves_andTheNextCallTellsToWait() throws Exception {
    add("a");
    add("b");
    add("c");
    assertThat(batch.isFull()).isTrue();
    endpoint.answers.addAll(List.of(1, 1));
    assertThat(endpoint.pollSendMany(batch, NOBODY)).isEqualTo(2);
    assertThat(batch.size()).isEqualTo(1);
    assertThat(batch.bytes(0).get(0)).isEqualTo((byte) 'c');
    assertThat(batch.isFull()).as("its room is at the front").isTrue();
    assertThat(endpoint.pollSendMany(batch, NOBODY)).isEqualTo(DatagramEndpoint.PENDING);
    endpoint.answers.add(DatagramEndpoint.NO_ROOM);
    assertThat(endpoint.pollSendMany(batch, NOBODY)).isEqualTo(DatagramEndpoint.NO_ROOM);
    endpoint.answers.add(new SocketException("refused"));
    assertThatThrownBy(() -> endpoint.pollSendMany(batch, NOBODY))
        .isInstanceOf(SocketException.class);
    endpoint.answers.add(1);
    assertThat(endpoint.pollSendMany(batch, NOBODY)).isEqualTo(1);
    assertThat(batch.size()).isZero();
    assertThat(batch.isFull()).isFalse();
    assertThat(endpoint.pollSendMany(batch, NOBODY)).as("nothing to send").isZero();
  }
}
