package dev.blitz.examples.guide;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.stream.IoSource;
import dev.blitz.io.stream.UncheckedSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** docs/guide/streams.md. */
@SuppressWarnings({"CheckReturnValue", "try", "UnusedVariable"}) // only to be compiled
abstract class Streams {
  record Price(int item) {
    boolean valid() {
      return item > 0;
    }
  }

  record Event() {}

  record Frame() {}

  interface FrameDecoder {
    IoFuture<Optional<Frame>> next(ByteReader from);
  }

  abstract Future<Price> enrich(int item);

  abstract void show(Price price);

  void operators(Channel<Integer> channel) {
    try (var prices =
        channel
            .receiver()
            .throttle(Duration.ofMillis(100))
            .mapAsync(8, this::enrich)
            .filter(Price::valid)) {
      for (Price price : prices) {
        show(price);
      }
    }
  }

  static void chunks(Channel<Event> events) {
    UncheckedSource<List<Event>> batches = events.receiver().chunk(100, Duration.ofSeconds(1));
  }

  static void repeat(TcpStream stream, FrameDecoder decoder) {
    IoSource<Frame> frames = IoSource.repeat(() -> decoder.next(stream)).whenDone(stream::close);
  }
}
