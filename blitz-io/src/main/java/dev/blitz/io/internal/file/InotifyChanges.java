package dev.blitz.io.internal.file;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.DescriptorEndpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** By inotify, whose descriptor the driver waits for: no thread is needed. */
final class InotifyChanges implements DirectoryChanges {
  private final Path directory;
  private final DescriptorEndpoint endpoint;
  private final ByteBuffer buffer = ByteBuffer.allocate(InotifyAbi.LEAST_BUFFER);
  private boolean ended;

  /** Owns {@code endpoint}. */
  InotifyChanges(Path directory, DescriptorEndpoint endpoint) {
    this.directory = directory;
    this.endpoint = endpoint;
  }

  @Override
  public @Nullable List<Change> poll(Waker waker) throws IOException {
    while (!ended) {
      int n;
      try {
        n = endpoint.pollRead(buffer.clear(), waker);
      } catch (ClosedChannelException e) {
        break;
      }
      if (n == DescriptorEndpoint.PENDING) {
        return null;
      }
      InotifyAbi.Events events = InotifyAbi.parse(buffer.clear().limit(Math.max(n, 0)), directory);
      ended = events.ended() || n < 0;
      if (!events.changes().isEmpty()) {
        return events.changes();
      }
    }
    return List.of();
  }

  @Override
  public void forget() {
    endpoint.forgetReader();
  }

  @Override
  public boolean isOpen() {
    return endpoint.isOpen();
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
