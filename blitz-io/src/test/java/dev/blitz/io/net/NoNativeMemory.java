package dev.blitz.io.net;

import dev.blitz.io.future.Context;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process with little native memory, all of it taken: threads that have never made a call find
 * none for it. Afterwards every connection must be gone.
 */
final class NoNativeMemory {
  private static final int CONNECTIONS = 12;

  /** As the process is given: {@code -XX:MaxDirectMemorySize=4m}. */
  private static final long LIMIT_BYTES = 4 << 20;

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
      HOG.add(hog());
      List<Thread> users = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        users.add(useOnAThreadOfItsOwn(near.get(i), i));
      }
      for (Thread user : users) {
        user.join();
      }
      System.out.println("calls without memory: " + FAILURES);
      HOG.clear();
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

  private static final List<ByteBuffer> HOG = new ArrayList<>(1);
  private static final AtomicInteger FAILURES = new AtomicInteger();

  /** Takes what is left to the byte: a request for too much makes the JDK wait half a second. */
  private static ByteBuffer hog() {
    var direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElseThrow();
    return ByteBuffer.allocateDirect((int) (LIMIT_BYTES - direct.getTotalCapacity()));
  }

  private static Thread useOnAThreadOfItsOwn(TcpStream stream, int i) {
    var thread =
        new Thread(() -> {
          try {
            switch (i % 3) {
              case 0 -> stream.pollWrite(Context.of(() -> {}), ByteBuffer.allocate(1));
              case 1 -> stream.localAddress();
              default -> stream.close();
            }
          } catch (OutOfMemoryError e) {
            FAILURES.incrementAndGet();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    thread.start();
    return thread;
  }
}
