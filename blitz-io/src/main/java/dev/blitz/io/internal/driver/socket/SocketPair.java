package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.internal.driver.Endpoint;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Two Unix sockets that are connected with each other. */
public final class SocketPair {
  private SocketPair() {}

  /** Makes an endpoint, which owns the descriptor; closes it if it cannot. */
  @FunctionalInterface
  public interface Maker<E extends Endpoint> {
    E make(SocketDescriptor descriptor) throws IOException;
  }

  /** A pair of datagrams or streams. */
  public static <E extends Endpoint> List<E> open(boolean datagrams, Maker<? extends E> maker)
      throws IOException {
    int type = datagrams ? SocketAbi.SOCK_DGRAM : SocketAbi.SOCK_STREAM;
    int[] ends = new int[2];
    var pair = new ArrayList<E>(2); // first: there may be no memory later
    CallFrame frame = CallFrame.take();
    try {
      int r = SocketCalls.pair(frame, type, ends);
      if (r < 0) {
        throw SocketErrors.of("socketpair", -r);
      }
    } finally {
      frame.giveBack();
    }
    try {
      pair.add(maker.make(SocketDescriptor.owning(ends[0])));
    } catch (Throwable t) {
      PosixCalls.close(ends[1]);
      throw t;
    }
    try {
      pair.add(maker.make(SocketDescriptor.owning(ends[1])));
    } catch (Throwable t) {
      pair.getFirst().close();
      throw t;
    }
    return pair;
  }
}
