package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.failureOf;

import java.net.Socket;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
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
    Queue<TcpStream> accepted = new ConcurrentLinkedQueue<>(); // kept: no descriptor must be left
    var failure = new CompletableFuture<Throwable>();
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          failure.complete(
              failureOf(() -> {
                while (true) {
                  accepted.add(listener.accept().await());
                }
              }));
        });
    while (world.runtime.stats().timers() == 0) {
      Thread.onSpinWait();
    }
    world.close();
    Throwable ended = failure.get(10, TimeUnit.SECONDS);
    accepted.forEach(TcpStream::close);
    for (Socket client : clients) {
      client.close();
    }
    System.out.println(
        ended instanceof ClosedChannelException ? "the accept has ended" : "failed: " + ended);
    System.exit(0);
  }
}
