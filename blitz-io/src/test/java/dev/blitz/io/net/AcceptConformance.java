package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.IoFuture;
import dev.blitz.io.net.SocketWorld.Bell;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.TestSeed;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Several tasks accept from one listener. */
abstract class AcceptConformance extends SocketConformance {
  AcceptConformance(String backend) {
    super(backend);
  }

  /** An accept that is polled by hand. */
  private static final class Acceptor {
    final IoFuture<TcpStream> accept;
    final Bell bell = new Bell();
    @Nullable TcpStream accepted;

    Acceptor(TcpListener listener) throws Exception {
      accept = listener.accept();
      assertThat(accept.poll(bell.context())).isNull();
    }

    boolean isDone() throws Exception {
      if (accepted == null) {
        accepted = accept.poll(bell.context());
      }
      return accepted != null;
    }
  }

  private static List<Acceptor> acceptors(TcpListener listener, int count) throws Exception {
    List<Acceptor> acceptors = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      acceptors.add(new Acceptor(listener));
    }
    return acceptors;
  }

  /** Connects, and checks that {@code next} gets that connection while the others wait on. */
  private void connectionGoesTo(Acceptor next, TcpListener listener, List<Acceptor> others)
      throws Exception {
    try (var client = world.connecting(listener.localAddress()).await()) {
      for (Acceptor other : others) {
        assertThat(other.isDone()).isFalse();
      }
      Await.until(next::isDone, "the accept whose turn it is");
      try (var server = next.accepted) {
        assertThat(server.remoteAddress()).isEqualTo(client.localAddress());
      }
    }
  }

  @Test
  void connections_goToThoseWhoAccept_inTheirOrder() throws Exception {
    try (var listener = world.listen()) {
      List<Acceptor> waiting = acceptors(listener, 4);
      while (!waiting.isEmpty()) {
        connectionGoesTo(waiting.removeFirst(), listener, waiting);
      }
    }
  }

  @Test
  void aDroppedAccept_anywhereInTheLine_holdsUpNobody() throws Exception {
    for (int dropped = 0; dropped < 3; dropped++) {
      try (var listener = world.listen()) {
        List<Acceptor> waiting = acceptors(listener, 3);
        waiting.remove(dropped).accept.drop();
        while (!waiting.isEmpty()) {
          connectionGoesTo(waiting.removeFirst(), listener, waiting);
        }
      }
    }
  }

  @Test
  void aConnection_thatWokeADroppedAccept_goesToTheNext() throws Exception {
    try (var listener = world.listen()) {
      List<Acceptor> waiting = acceptors(listener, 3);
      Acceptor first = waiting.removeFirst();
      try (var client = world.connecting(listener.localAddress()).await()) {
        first.bell.awaitAfter(0);
        first.accept.drop();
        Acceptor second = waiting.removeFirst();
        second.bell.awaitAfter(0);
        Await.until(second::isDone, "the connection");
        try (var server = second.accepted) {
          assertThat(server.remoteAddress()).isEqualTo(client.localAddress());
        }
      }
      connectionGoesTo(waiting.removeFirst(), listener, List.of());
    }
  }

  @Test
  @SuppressWarnings("try") // closing in the middle is the point
  void closing_endsAllOfThem() throws Exception {
    try (var listener = world.listen()) {
      List<JoinHandle<TcpStream>> accepts = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        accepts.add(world.runtime.spawn(listener.accept()));
      }
      awaitIdle("a connection to");
      listener.close();
      for (JoinHandle<TcpStream> accept : accepts) {
        assertThatThrownBy(accept::await).hasRootCauseInstanceOf(ClosedChannelException.class);
      }
    }
  }

  @Test
  @SuppressWarnings("try") // closing in the middle is the point
  void connections_areASource_thatHoldsUpNobody_andEndsWithTheListener() throws Exception {
    try (var listener = world.listen()) {
      var source = listener.connections();
      var next = source.next();
      assertThat(next.poll(new Bell().context())).isNull();
      next.drop();
      connectionGoesTo(acceptors(listener, 1).getFirst(), listener, List.of());
      try (var client = world.connecting(listener.localAddress()).await();
          var server = source.first().await().orElseThrow()) {
        assertThat(server.remoteAddress()).isEqualTo(client.localAddress());
      }
      assertThat(listener.isOpen()).isTrue();
      var loop = world.runtime.spawn(listener.connections().toList());
      awaitIdle("a connection to");
      listener.close();
      assertThat(loop.await()).isEmpty();
    }
  }

  @Test
  void manyTasks_acceptEveryConnectionOnce_thoughSomeAreCancelled(TestSeed seed) throws Exception {
    int connections = 200;
    Set<InetSocketAddress> seen = ConcurrentHashMap.newKeySet();
    List<TcpStream> clients = new ArrayList<>();
    try (var listener = world.listen()) {
      Race.run(
          5,
          who -> {
            if (who == 0) {
              for (int i = 0; i < connections; i++) {
                clients.add(world.connecting(listener.localAddress()).await());
              }
              return;
            }
            var random = seed.derive(who).random();
            while (seen.size() < connections) {
              var accept = world.runtime.spawn(listener.accept());
              if (random.nextInt(4) == 0) {
                accept.cancel();
              } else {
                Await.until(() -> accept.isDone() || seen.size() == connections, "a connection");
                accept.cancel();
              }
              // Cancelled or not: a connection that it has got counts.
              if (failureOf(() -> note(accept.await(), seen)) instanceof AssertionError twice) {
                throw twice;
              }
            }
          });
    } finally {
      clients.forEach(TcpStream::close);
    }
  }

  private static boolean note(TcpStream accepted, Set<InetSocketAddress> seen) throws Exception {
    try (accepted) {
      assertThat(seen.add(accepted.remoteAddress())).as("accepted once").isTrue();
      return true;
    }
  }

  @Test
  @SuppressWarnings("try") // closing in the middle is part of it
  void tryAccept_needsNoTask_andDoesNotWait() throws Exception {
    try (var listener = world.listen()) {
      assertThat(listener.tryAccept()).isNull();
      try (var client =
          new Socket(InetAddress.getLoopbackAddress(), listener.localAddress().getPort())) {
        var accepted = new AtomicReference<@Nullable TcpStream>();
        Await.until(
            () -> {
              accepted.set(listener.tryAccept());
              return accepted.get() != null;
            },
            "the connection");
        try (var stream = accepted.get()) {
          assertThat(stream.tryWrite(SocketWorld.bytes("x"))).isEqualTo(1);
          assertThat(client.getInputStream().read()).isEqualTo('x');
        }
      }
      var waiting = world.runtime.spawn(listener.accept());
      awaitIdle("a connection to");
      assertThat(listener.tryAccept()).as("it is somebody else's turn").isNull();
      waiting.cancel();
      listener.close();
      assertThatThrownBy(listener::tryAccept).isInstanceOf(ClosedChannelException.class);
    }
  }
}
