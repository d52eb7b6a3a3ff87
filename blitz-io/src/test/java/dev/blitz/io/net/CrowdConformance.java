package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.noise;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.TestSeed;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Many connections, and workers that are stuck. */
abstract class CrowdConformance extends SocketConformance {
  CrowdConformance(String backend) {
    super(backend);
  }

  @Test
  @SuppressWarnings("try") // closing in the middle is the point
  void connectionsComeAndGo_andNoBytesReachAStranger(TestSeed seed) throws Exception {
    int visitors = 8;
    int visits = 40;
    try (var listener = world.listen()) {
      InetSocketAddress address = listener.localAddress();
      var server =
          world.runtime.spawn(
              Futures.loop(() ->
                  listener
                      .accept()
                      .andThen(stream -> {
                        world.runtime.spawn(echo(stream).recover(e -> Done.DONE)).detach();
                        return Futures.more();
                      })));
      Race.run(
          visitors,
          who -> {
            var random = seed.derive(who).random();
            for (int visit = 0; visit < visits; visit++) {
              try (var stream = world.connecting(address).await()) {
                var question = ByteBuffer.wrap(noise(random.nextInt(1, 3000), random.nextLong()));
                stream.writeAll(question.duplicate()).await();
                switch (random.nextInt(4)) {
                  case 0 -> stream.reset();
                  case 1 -> stream.close();
                  default -> {
                    var answer = ByteBuffer.allocate(question.remaining());
                    stream.readFully(answer).await();
                    assertThat(answer.flip()).isEqualTo(question);
                  }
                }
              }
            }
          });
      server.cancel();
    }
  }

  @Test
  @SuppressWarnings("try") // as above
  void aStuckWorker_doesNotKeepItsConnectionsWaiting() throws Exception {
    try (var listener = world.listen()) {
      var accepted = world.runtime.spawn(listener.accept());
      try (var client =
          new Socket(InetAddress.getLoopbackAddress(), listener.localAddress().getPort())) {
        client.setTcpNoDelay(true);
        var served = world.runtime.spawn(echo(accepted.await()));
        for (int round = 0; round < 4; round++) {
          roundTrip(client);
          var release = new CountDownLatch(1);
          var stuck = new CountDownLatch(1);
          var hog =
              world.runtime.spawn(
                  Futures.lazy(() -> {
                    stuck.countDown();
                    return release.await(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS);
                  }));
          stuck.await();
          for (int i = 0; i < 20; i++) {
            roundTrip(client); // hangs if only the stuck worker looks at the driver
          }
          assertThat(hog.isDone()).isFalse();
          release.countDown();
          assertThat(hog.await()).isTrue();
        }
        client.close();
        served.await();
      }
    }
  }

  private static void roundTrip(Socket client) throws IOException {
    client.getOutputStream().write('x');
    assertThat(client.getInputStream().read()).isEqualTo('x');
  }
}
