package dev.blitz.io.net;

import dev.blitz.io.future.Context;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A process with little native memory, all of it taken: threads that have never made a call find
 * none for it. Afterwards every connection must be gone.
 */
final class NoNativeMemory {
  private static final int CONNECTIONS = 20;

  private NoNativeMemory() {}

  public static void main(String[] args) throws Exception {
    List<TcpStream> near = new ArrayList<>();
    List<TcpStream> far = new ArrayList<>();
    try (var world = new SocketWorld(args[0], 1);
        var peers = new SocketWorld(args[0], 1)) {
      try (var listener = world.listen()) {
        for (int i = 0; i < CONNECTIONS; i++) {
          far.add(peers.connecting(listener.localAddress()).await());
          near.add(listener.accept().await());
        }
      }
      List<ByteBuffer> hog = hog();
      for (int i = 0; i < CONNECTIONS; i++) {
        useOnAThreadOfItsOwn(near.get(i), i);
      }
      System.out.println("calls without memory: " + failures);
      hog.clear();
      System.gc();
      near.forEach(TcpStream::close);
      for (TcpStream stream : far) {
        while (stream.read(ByteBuffer.allocate(8)).await() >= 0) {
          // what was written before
        }
      }
      System.out.println("every peer has seen the end");
    }
  }

  private static int failures;

  private static List<ByteBuffer> hog() {
    List<ByteBuffer> hog = new ArrayList<>(10_000);
    for (int size = 1 << 16; size >= 1; size /= 2) {
      try {
        while (true) {
          hog.add(ByteBuffer.allocateDirect(size));
        }
      } catch (OutOfMemoryError e) {
        // smaller ones
      }
    }
    return hog;
  }

  private static void useOnAThreadOfItsOwn(TcpStream stream, int i) throws InterruptedException {
    var thread =
        new Thread(() -> {
          try {
            switch (i % 3) {
              case 0 -> stream.pollWrite(Context.of(() -> {}), ByteBuffer.allocate(1));
              case 1 -> stream.localAddress();
              default -> stream.close();
            }
          } catch (OutOfMemoryError e) {
            failures++; // threads are joined one by one
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    thread.start();
    thread.join();
  }
}
