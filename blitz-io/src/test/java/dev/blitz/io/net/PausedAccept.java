package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.failureOf;

import java.net.Socket;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A process that is given few descriptors: an accept from outside has found none, and waits for
 * some, when the runtime closes.
 */
final class PausedAccept {
  private PausedAccept() {}

  public static void main(String[] args) throws Exception {
    FewDescriptors.loadAllClasses();
    var world = new SocketWorld(args[0], 2);
    var listener = world.listen();
    List<Socket> clients = FewDescriptors.connectUntilNoneAreLeft(listener);
    var failure = new CompletableFuture<Throwable>();
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          List<TcpStream> kept = new ArrayList<>(); // there must be no descriptor left
          failure.complete(
              failureOf(() -> {
                while (true) {
                  kept.add(listener.accept().await());
                }
              }));
        });
    while (world.runtime.stats().timers() == 0) {
      Thread.onSpinWait();
    }
    world.close();
    Throwable ended = failure.get(10, TimeUnit.SECONDS);
    for (Socket client : clients) {
      client.close();
    }
    System.out.println(
        ended instanceof ClosedChannelException ? "the accept has ended" : "failed: " + ended);
    System.exit(0);
  }
}
