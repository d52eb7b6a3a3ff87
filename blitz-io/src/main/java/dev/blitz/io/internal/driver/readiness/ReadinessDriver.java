package dev.blitz.io.internal.driver.readiness;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.DatagramEndpoint;
import dev.blitz.io.internal.driver.DescriptorEndpoint;
import dev.blitz.io.internal.driver.Endpoints;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.socket.ForeignDescriptor;
import dev.blitz.io.internal.driver.socket.SocketDescriptor;
import dev.blitz.io.internal.driver.socket.SocketHandle;
import dev.blitz.io.internal.driver.socket.SocketPair;
import dev.blitz.io.observe.BackendProbe;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;

/** The driver of the native backends that only tell when a call may succeed. */
public final class ReadinessDriver extends PollingDriver<Poller> implements Endpoints {

  /** {@code maker} opens the poller when it is needed. */
  public ReadinessDriver(Seats seats, BackendProbe probe, EventSource.Maker<Poller> maker) {
    super(seats, probe, maker);
  }

  @Override
  public Endpoints endpoints() {
    return this;
  }

  @Override
  public StreamEndpoint openStream(AddressFamily family) throws IOException {
    return stream(SocketHandle.openSocket(family), family);
  }

  @Override
  public ListenerEndpoint openListener(AddressFamily family) throws IOException {
    SocketDescriptor descriptor = SocketHandle.openSocket(family);
    try {
      return known(new ReadinessListener(this, handle(descriptor, family)));
    } catch (Throwable t) { // no memory
      descriptor.close();
      throw t;
    }
  }

  ReadinessStream stream(SocketDescriptor descriptor, AddressFamily family) throws IOException {
    try {
      return known(new ReadinessStream(this, handle(descriptor, family)));
    } catch (Throwable t) { // no memory
      descriptor.close();
      throw t;
    }
  }

  private SocketHandle handle(SocketDescriptor descriptor, AddressFamily family) {
    return new SocketHandle(name(), descriptor, family, blocking());
  }

  @Override
  public DatagramEndpoint openDatagram(AddressFamily family) throws IOException {
    return datagram(SocketHandle.openDatagram(family), family);
  }

  private DatagramEndpoint datagram(SocketDescriptor descriptor, AddressFamily family)
      throws IOException {
    try {
      return known(new ReadinessDatagram(this, handle(descriptor, family)));
    } catch (Throwable t) { // no memory
      descriptor.close();
      throw t;
    }
  }

  @Override
  public List<StreamEndpoint> openStreamPair() throws IOException {
    return SocketPair.open(false, end -> stream(end, AddressFamily.UNIX));
  }

  @Override
  public List<DatagramEndpoint> openDatagramPair() throws IOException {
    return SocketPair.open(true, end -> datagram(end, AddressFamily.UNIX));
  }

  @Override
  public DescriptorEndpoint adopt(int number) throws IOException {
    return owning(ForeignDescriptor.adopt(number));
  }

  @Override
  public DescriptorEndpoint reopen(int number) throws IOException {
    return owning(ForeignDescriptor.reopen(number));
  }

  private DescriptorEndpoint owning(ForeignDescriptor foreign) throws IOException {
    try {
      return known(new ReadinessDescriptor(this, foreign));
    } catch (Throwable t) { // no memory
      foreign.close();
      throw t;
    }
  }

  /** Binds; an address that a closed socket is about to give up is waited for. */
  void bind(SocketHandle socket, SocketAddress local) throws IOException {
    socket.bind(local, lingering());
  }

  /** Whether no call names what is waited for. */
  boolean staysArmed() {
    Poller open = sourceOrNull();
    return open == null || open.staysArmed();
  }
}
