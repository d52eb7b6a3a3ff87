package dev.blitz.io.net;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.LogCapture;
import dev.blitz.io.future.Futures;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import guest.Careless;
import org.junit.jupiter.api.Test;

/** Who loses a socket is told where it was made, in development. */
@Strict
@OnceIsEnough
class LostHandleTest {

  @Test
  void inDevelopment_aLostListener_isToldWithThePlaceWhereItWasMade() throws Exception {
    try (var log = new LogCapture();
        var rt = BlitzRuntime.builder().workers(1).development(true).build()) {
      assumeTrue(rt.backend().available());
      rt.run(Futures.lazy(Careless::listenAndForget));
      Await.untilCollected(
          () ->
              log.messages().stream()
                  .anyMatch(text ->
                      text.startsWith("TcpListener, made at guest.Careless.listenAndForget(")
                          && text.contains("was never closed")),
          "the place to be told");
    }
  }
}
