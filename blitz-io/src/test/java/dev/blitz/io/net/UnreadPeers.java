package dev.blitz.io.net;

import dev.blitz.io.future.Futures;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * A server with a small heap and many peers that send more than it reads: what is not read waits in
 * the kernel, or in bounded memory. Meanwhile one peer is served without delay; in the end every
 * byte is there, in order.
 */
final class UnreadPeers {
  private static final int PEERS = 1_000;
  private static final int BYTES = 200_000;
  private static final int ROUND_TRIPS = 2_000;

  private UnreadPeers() {}

  public static void main(String[] args) throws Exception {
    try (var world = new SocketWorld(args[0], 2);
        var listener = world.listen()) {
      List<SocketChannel> clients = new ArrayList<>();
      List<TcpStream> streams = new ArrayList<>();
      List<ByteBuffer> unsent = new ArrayList<>();
      ByteBuffer message = message();
      for (int i = 0; i < PEERS; i++) {
        clients.add(SocketChannel.open(listener.localAddress()));
        clients.getLast().configureBlocking(false);
        streams.add(listener.accept().await());
        unsent.add(message.duplicate());
      }
      try (var client = SocketChannel.open(listener.localAddress());
          var server = listener.accept().await()) {
        for (int i = 0; i < PEERS; i++) {
          clients.get(i).write(unsent.get(i));
          // One byte is read on a worker, where bytes arrive from now on; then nobody reads.
          TcpStream stream = streams.get(i);
          var one = ByteBuffer.allocate(1);
          world.runtime.run(stream.readFully(one));
          if (one.get(0) != message.get(0)) {
            throw new AssertionError("a wrong first byte of " + i);
          }
        }
        var echo = world.runtime.spawn(SocketConformance.echo(server));
        ByteBuffer small = ByteBuffer.allocateDirect(64);
        for (int round = 0; round < ROUND_TRIPS; round++) {
          small.clear();
          while (small.hasRemaining()) {
            client.write(small);
          }
          small.clear();
          while (small.hasRemaining()) {
            if (client.read(small) < 0) {
              throw new AssertionError("the echo ended");
            }
          }
        }
        client.shutdownOutput();
        echo.await();
      }
      for (int i = 0; i < PEERS; i++) {
        readRest(world, streams.get(i), clients.get(i), unsent.get(i), message);
      }
    }
    System.out.println("everybody was served");
  }

  private static void readRest(
      SocketWorld world,
      TcpStream stream,
      SocketChannel client,
      ByteBuffer unsent,
      ByteBuffer message)
      throws Exception {
    var read = ByteBuffer.allocate(BYTES);
    read.put(message.get(0));
    Thread sender =
        Thread.ofVirtual()
            .start(() -> {
              try {
                client.configureBlocking(true);
                while (unsent.hasRemaining()) {
                  client.write(unsent);
                }
                client.shutdownOutput();
              } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    world.runtime.run(
        Futures.loop(
            () -> stream.read(read).andThen(n -> n > 0 ? Futures.more() : Futures.stop())));
    sender.join();
    if (!read.flip().equals(message)) {
      throw new AssertionError("not the bytes that were sent, but " + read);
    }
    stream.close();
    client.close();
  }

  private static ByteBuffer message() {
    return ByteBuffer.allocateDirect(BYTES).put(SocketWorld.noise(BYTES, 3)).flip();
  }
}
