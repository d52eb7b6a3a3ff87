package dev.blitz.io.internal.driver.iocp;

import dev.blitz.io.internal.base.Machine;
import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.DatagramEndpoint;
import dev.blitz.io.internal.driver.DescriptorEndpoint;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.DriverHost;
import dev.blitz.io.internal.driver.EndpointRegistry;
import dev.blitz.io.internal.driver.Endpoints;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.SentMark;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.observe.BackendProbe;
import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The driver on a group of asynchronous channels, which is opened with the first TCP socket: the
 * threads of the group take completions and wake tasks. Workers wait in another driver, which has
 * the sockets that the JDK has no asynchronous channels for.
 *
 * <p>Files are read and written by the lane of threads that every backend without {@link
 * Driver#kernelCalls} has. {@code AsynchronousFileChannel} would be no better: on Windows it opens
 * the file a second time, has neither position nor vectors, and everywhere else it is a thread
 * pool.
 */
/* Implementation notes
 *
 * `group` and `ended` are read and written under openLock.
 */
public final class IocpDriver implements Driver, Endpoints {
  private final Driver others;
  private final BackendProbe probe;
  private final EndpointRegistry<IocpEndpoint> endpoints = new EndpointRegistry<>();
  private final SentMark sent = new SentMark();
  private final PinnedLock openLock = new PinnedLock();
  private final LingeringStreams lingering;
  private final long lastLingerNanos;

  private @Nullable AsynchronousChannelGroup group;
  private boolean ended;
  private @Nullable DriverHost host;

  /** See {@link IocpTuning#LINGER_NANOS} and {@link IocpTuning#LAST_LINGER_NANOS}. */
  IocpDriver(Driver others, BackendProbe probe, long lingerNanos, long lastLingerNanos) {
    this.others = others;
    this.probe = probe;
    this.lingering =
        new LingeringStreams(new Machine(this::nanoTime, Machine.REAL.starter()), lingerNanos);
    this.lastLingerNanos = lastLingerNanos;
  }

  @Override
  public String name() {
    return probe.name();
  }

  @Override
  public BackendProbe backend() {
    return probe;
  }

  @Override
  public void start(DriverHost host) {
    this.host = host;
    others.start(host);
  }

  private long nanoTime() {
    DriverHost scheduler = host;
    return scheduler == null ? Machine.REAL.nanoTime() : scheduler.nanoTime();
  }

  // --- Waiting, in the other one ---

  @Override
  public void attach(int worker) {
    others.attach(worker);
  }

  @Override
  public boolean park(int worker, long deadlineNanos) {
    return others.park(worker, deadlineNanos);
  }

  @Override
  public int deliver(int worker) {
    return others.deliver(worker);
  }

  @Override
  public boolean hasStaged(int worker) {
    return others.hasStaged(worker);
  }

  @Override
  public void unpark(int worker) {
    others.unpark(worker);
  }

  @Override
  public void wakeElsewhere(int worker) {
    others.wakeElsewhere(worker);
  }

  @Override
  public boolean relieve(int stuck) {
    return others.relieve(stuck);
  }

  @Override
  public boolean takeSent() {
    boolean here = sent.take();
    return others.takeSent() || here;
  }

  /** An endpoint has sent bytes. */
  void sent() {
    sent.set();
  }

  /** For a try: gives a completion a moment to be told. */
  void awaitBriefly(BooleanSupplier done) {
    long begin = nanoTime();
    while (!done.getAsBoolean() && nanoTime() - begin < IocpTuning.TRY_NANOS) {
      Thread.onSpinWait();
    }
  }

  // --- Endpoints ---

  @Override
  public Endpoints endpoints() {
    return this;
  }

  @Override
  public boolean takesDescriptors() {
    return false;
  }

  /** Opens a channel of the group. */
  @FunctionalInterface
  private interface Opening<C> {
    C open(AsynchronousChannelGroup group) throws IOException;
  }

  /** Under the lock: a channel of a group that is being shut down would lose its descriptor. */
  private <C> C open(Opening<C> opening) throws IOException {
    StackRoom.forCalls();
    openLock.lock();
    try {
      if (ended || endpoints.isClosed()) {
        throw new ClosedChannelException();
      }
      AsynchronousChannelGroup open = group;
      if (open == null) {
        open =
            AsynchronousChannelGroup.withFixedThreadPool(
                IocpTuning.THREADS, body -> Machine.daemon("blitz-iocp", body));
        group = open;
      }
      return opening.open(open);
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      throw IocpErrors.of("socket", e);
    } finally {
      openLock.unlock();
    }
  }

  @Override
  public StreamEndpoint openStream(AddressFamily family) throws IOException {
    return family == AddressFamily.UNIX
        ? others.endpoints().openStream(family)
        : connected(open(AsynchronousSocketChannel::open));
  }

  /** Owns a channel, connected or not. */
  StreamEndpoint connected(AsynchronousSocketChannel channel) throws IOException {
    try {
      return endpoints.adopt(new IocpStream(this, channel));
    } catch (Throwable t) { // no memory
      IocpEndpoint.close(channel);
      throw t;
    }
  }

  @Override
  public ListenerEndpoint openListener(AddressFamily family) throws IOException {
    if (family == AddressFamily.UNIX) {
      return others.endpoints().openListener(family);
    }
    AsynchronousServerSocketChannel channel = open(AsynchronousServerSocketChannel::open);
    try {
      return endpoints.adopt(new IocpListener(this, channel));
    } catch (Throwable t) { // no memory
      IocpEndpoint.close(channel);
      throw t;
    }
  }

  @Override
  public DatagramEndpoint openDatagram(AddressFamily family) throws IOException {
    return others.endpoints().openDatagram(family);
  }

  @Override
  public List<StreamEndpoint> openStreamPair() throws IOException {
    return others.endpoints().openStreamPair();
  }

  @Override
  public List<DatagramEndpoint> openDatagramPair() throws IOException {
    return others.endpoints().openDatagramPair();
  }

  @Override
  public DescriptorEndpoint adopt(int number) {
    throw refused("adopt", number);
  }

  @Override
  public DescriptorEndpoint reopen(int number) {
    throw refused("reopen", number);
  }

  private UnsupportedOperationException refused(String what, int number) {
    return new UnsupportedOperationException(
        "the backend " + name() + " cannot " + what + " descriptor " + number);
  }

  /** Whether all endpoints are being closed. */
  boolean isClosing() {
    return endpoints.isClosed();
  }

  void forget(long key) {
    endpoints.forget(key);
  }

  /** A stream that is closed has something to send. */
  void lingers(IocpStream stream) {
    lingering.add(stream);
  }

  /** How many of them there are. */
  int lingering() {
    return lingering.size();
  }

  void lingersNoMore(IocpStream stream) {
    lingering.remove(stream);
  }

  // --- The end ---

  @Override
  public void closeSockets() {
    endpoints.closeAll();
    others.closeSockets();
  }

  @Override
  public void close() {
    try {
      closeSockets();
    } finally { // also without memory
      try {
        closeGroup();
      } finally {
        others.close();
      }
    }
  }

  private void closeGroup() {
    AsynchronousChannelGroup open;
    openLock.lock();
    try {
      open = group;
      ended = true;
    } finally {
      openLock.unlock();
    }
    lingering.end(lastLingerNanos);
    if (open == null) {
      return;
    }
    try {
      open.shutdownNow();
      open.awaitTermination(IocpTuning.THREADS_END_NANOS, TimeUnit.NANOSECONDS);
    } catch (IOException e) {
      // its channels are closed
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // its threads end all the same
    }
  }

  @Override
  public String toString() {
    return name() + " driver with " + endpoints.size() + " endpoints";
  }
}
