package dev.blitz.io.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.stress.Patience;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** The echo server of {@link StoppedPeerSeededStress}: argument backend; ends with its input. */
final class StoppedServer {
  static final String PORT = "port";
  static final String ENDED = "ended";

  private StoppedServer() {}

  @SuppressWarnings("SystemOut") // the parent reads it
  public static void main(String[] args) throws Exception {
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (var rt = BlitzRuntime.builder().backend(args[0]).workers(2).build()) {
      TcpListener listener = rt.run(Futures.lazy(() -> TcpListener.bind(0)));
      JoinHandle<?> echoes = rt.spawn(NetProbe.echoServer(listener));
      System.out.println(PORT + " " + listener.localAddress().getPort());
      input.readLine();
      Patience.until(() -> rt.stats().live() == 1, () -> "the echoes to end: " + rt.dump());
      echoes.cancel();
      listener.close();
    }
    System.out.println(ENDED);
  }
}
