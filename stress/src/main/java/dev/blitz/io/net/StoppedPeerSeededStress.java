package dev.blitz.io.net;

import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A server and its clients, a process each, that are stopped (SIGSTOP) and let go on (SIGCONT) in
 * the middle of what they do, either of them, again and again: every byte that was sent comes back,
 * in order, and all ends as it should.
 */
public final class StoppedPeerSeededStress implements SeededStress {
  private static final Duration LONGEST = Duration.ofSeconds(60);

  @Override
  public void run(long seed, Duration budget) throws Exception {
    List<String> backends = NetProbe.thatReset(); // some visitors leave by a reset
    Duration share = budget.dividedBy(Math.max(1, backends.size()));
    for (String backend : backends) {
      stop(backend, seed, share.compareTo(LONGEST) > 0 ? LONGEST : share);
    }
  }

  private static void stop(String backend, long seed, Duration length) throws Exception {
    var random = new SplittableRandom(seed);
    Process server = NetChild.start(StoppedServer.class, backend);
    try (var serverSays = server.inputReader();
        var tellServer = server.outputWriter()) {
      String port = NetChild.require(StoppedServer.PORT, serverSays);
      Process clients =
          NetChild.start(
              StoppedClients.class,
              backend,
              port,
              String.valueOf(seed),
              String.valueOf(length.toMillis()));
      try (var clientsSay = clients.inputReader()) {
        NetChild.require(StoppedClients.BEGUN, clientsSay);
        int stops = 0;
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() - end < 0 && clients.isAlive()) { // they look at a clock too
          Process stopped = random.nextBoolean() ? server : clients;
          NetChild.signal("STOP", stopped);
          pause(random.nextInt(1, random.nextInt(4) == 0 ? 400 : 20));
          NetChild.signal("CONT", stopped);
          pause(random.nextInt(1, 40));
          stops++;
        }
        String done = NetChild.require(StoppedClients.DONE, clientsSay);
        if (clients.waitFor() != 0) {
          throw new AssertionError("the clients ended with " + clients.exitValue());
        }
        tellServer.write("end\n");
        tellServer.flush();
        NetChild.require(StoppedServer.ENDED, serverSays);
        if (!server.waitFor(20, TimeUnit.SECONDS) || server.exitValue() != 0) {
          throw new AssertionError("the server did not end well");
        }
        System.out.printf("  %s: stopped %d times, %s%n", backend, stops, done);
      } finally {
        clients.destroyForcibly();
      }
    } finally {
      server.destroyForcibly();
    }
  }

  private static void pause(int millis) {
    long end = System.nanoTime() + Duration.ofMillis(millis).toNanos();
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
