package dev.blitz.io.net.tls;

import dev.blitz.io.FullHeap;
import dev.blitz.io.future.Context;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Handshakes and talks while there is hardly any memory, in a JVM with a small heap: each
 * allocation is once the one that fails. One thread, without a runtime.
 */
final class TlsLittleMemory {
  private static final Context CX = Context.of(() -> {});
  private static final int BYTES = 3_000;

  private static final byte[] SENT = new byte[BYTES];
  private static final byte[] GOT = new byte[BYTES];
  private static final ByteBuffer TARGET = ByteBuffer.wrap(GOT);

  private TlsLittleMemory() {}

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < BYTES; i++) {
      SENT[i] = (byte) (i % 251);
    }
    TlsClient client = TlsWorld.client();
    TlsServer server = TlsWorld.server();
    for (int i = 0; i < 10; i++) { // classes and call sites
      try (var pair = pair(client, server)) {
        talk(pair.client(), pair.server());
        talk(pair.server(), pair.client());
      }
    }
    String wrong = walk(client, server);
    for (int i = 0; i < 10; i++) { // the buffers that they share are still each one's own
      try (var one = pair(client, server);
          var two = pair(client, server)) {
        wrong += talk(one.client(), one.server());
        wrong += talk(two.server(), two.client());
        wrong += talk(one.server(), one.client());
        wrong += talk(two.client(), two.server());
      }
    }
    System.out.println("wrong: " + (wrong.isEmpty() ? "none" : wrong));
    System.exit(0);
  }

  private static TlsWorld.Pair pair(TlsClient client, TlsServer server) throws IOException {
    Wire[] wire = Wire.pair(1 << 16);
    return TlsErrorsTest.shake(client.connect(wire[0], TlsWorld.HOST), server.accept(wire[1]));
  }

  private static String walk(TlsClient client, TlsServer server) {
    int refused = 0;
    int done = 0;
    String wrong = "";
    FullHeap.fill();
    while (done < 5 && FullHeap.release(100)) {
      try (var pair = pair(client, server)) {
        wrong += talk(pair.client(), pair.server());
        done++;
      } catch (IOException | RuntimeException | Error e) { // the engine has many words for it
        refused++;
      }
    }
    FullHeap.clear();
    System.out.println("refused: " + (refused > 0) + ", " + refused + ", done: " + done);
    return wrong;
  }

  /** What is wrong, or nothing. */
  private static String talk(TlsStream from, TlsStream to) throws IOException {
    var source = ByteBuffer.wrap(SENT);
    TARGET.clear();
    for (int i = 0; TARGET.hasRemaining(); i++) {
      if (source.hasRemaining()) {
        from.write(source).poll(CX);
      }
      to.read(TARGET).poll(CX);
      if (i == 1_000) {
        return "it does not go on; ";
      }
    }
    return java.util.Arrays.equals(SENT, GOT) ? "" : "other bytes; ";
  }
}
