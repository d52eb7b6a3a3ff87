package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.bytes;
import static dev.blitz.io.net.SocketWorld.loopback;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.TestBackends;
import dev.blitz.io.internal.driver.SeccompFilter;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Where a filter, or an old kernel, has no call for several datagrams, one call for each does. */
@Strict
class RefusedBatchTest {
  private static final int ENOSYS = 38;
  private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");
  private static final long RECVMMSG = ARM ? 243 : 299;
  private static final long SENDMMSG = ARM ? 269 : 307;

  @Test
  void batchesGoAndCome_withoutTheCallsForThem() throws Exception {
    TestBackends.assumeAvailable("epoll");
    try (var world = new SocketWorld("epoll", 1);
        var a = world.inside(() -> UdpSocket.bind(loopback(0)));
        var b = world.inside(() -> UdpSocket.connected(a.localAddress()))) {
      var filtered =
          new FutureTask<List<String>>(() -> {
            if (!forbid(RECVMMSG) || !forbid(SENDMMSG)) {
              return null;
            }
            DatagramBatch<InetSocketAddress> batch = DatagramBatch.allocate(4, 4);
            batch.add(bytes("one")).add(bytes("two")).add(bytes("four"));
            assertThat(b.trySendMany(batch)).isEqualTo(3);
            List<String> got = new ArrayList<>();
            Await.until(
                () -> {
                  a.tryReceiveMany(batch);
                  got.addAll(BatchConformance.texts(batch));
                  batch.clear();
                  return got.size() == 3;
                },
                "all of them");
            return got;
          });
      var thread = Thread.ofPlatform().start(filtered); // the filter is for this thread alone
      List<String> got = filtered.get();
      thread.join();
      assumeTrue(got != null, "this kernel takes no filters");
      assertThat(got).containsExactly("one", "two", "four");
    }
  }

  private static boolean forbid(long call) {
    try {
      return SeccompFilter.forbid(call, ENOSYS);
    } catch (Throwable t) {
      throw new AssertionError("a filter", t);
    }
  }
}
