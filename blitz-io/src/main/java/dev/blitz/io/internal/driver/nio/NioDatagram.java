package dev.blitz.io.internal.driver.nio;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.DatagramEndpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A UDP socket. Each datagram comes through a staging area, which has room for any: the JDK does
 * not tell how long one was that did not fit. Sending and receiving take turns.
 */
final class NioDatagram extends NioEndpoint<DatagramChannel> implements DatagramEndpoint {

  /** A datagram that was looked at, and not received yet. */
  private static final class Peeked {
    final byte[] bytes;
    final SocketAddress sender;

    Peeked(byte[] bytes, SocketAddress sender) {
      this.bytes = bytes;
      this.sender = sender;
    }
  }

  private record Membership(InetAddress group, NetworkInterface by) {}

  /** The receiving side's. */
  private @Nullable Peeked peeked;

  /** Under {@link #calls}. */
  private final Map<Membership, MembershipKey> memberships = new HashMap<>();

  NioDatagram(NioDriver driver, NioSocket<DatagramChannel> socket, AddressFamily family) {
    super(driver, socket, family);
  }

  // --- Sending ---

  @Override
  public int pollSend(ByteBuffer source, @Nullable SocketAddress to, @Nullable Waker waker)
      throws IOException {
    String what = to == null ? "send" : "send to " + to;
    if (to != null) {
      NioNames.toJdk(to, driver().name()); // what has not been looked up cannot be sent to
    }
    long n;
    try {
      n = pollIo(writing, waker, (channel, one, many) -> send(channel, one, to), source, NONE, 0);
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      if (NioErrors.words(e).equals("Message too long")) {
        what += ", a datagram of " + source.remaining() + " bytes";
      }
      throw NioErrors.datagram(what, e);
    }
    if (n == MUST_WAIT) {
      return PENDING;
    }
    driver().sent();
    return (int) n;
  }

  private long send(DatagramChannel channel, ByteBuffer source, @Nullable SocketAddress to)
      throws IOException {
    int length = source.remaining();
    int begin = source.position();
    if (source.isDirect()) {
      try {
        return sendNative(channel, source, to, length);
      } finally {
        source.position(begin);
      }
    }
    if (length > NioBytes.STAGING_BYTES) {
      throw new SocketException("Message too long");
    }
    ByteBuffer staging = NioBytes.takeStaging();
    try {
      return sendNative(channel, staging.put(0, source, begin, length).limit(length), to, length);
    } finally {
      NioBytes.giveBack(staging);
    }
  }

  private long sendNative(
      DatagramChannel channel, ByteBuffer source, @Nullable SocketAddress to, int length)
      throws IOException {
    calls.lock();
    try {
      SocketAddress peer = channel.getRemoteAddress();
      if (peer == null && to == null) {
        throw new SocketException("Destination address required");
      }
      if (peer != null && to != null && !to.equals(peer)) {
        throw new UnsupportedOperationException(
            driver().name() + " sends from a socket that is connected to its peer alone");
      }
      if (peer != null && length == 0) {
        throw new UnsupportedOperationException(
            driver().name() + " sends no empty datagram from a socket that is connected");
      }
      int n = peer == null ? channel.send(source, to) : channel.write(source);
      return n == 0 && length > 0 ? NioCall.IN_VAIN : n;
    } finally {
      calls.unlock();
    }
  }

  // --- Receiving ---

  @Override
  public int pollReceive(
      ByteBuffer target, boolean peek, @Nullable Sender from, @Nullable Waker waker)
      throws IOException {
    Peeked known = peeked;
    if (known != null) {
      requireOpen();
      if (!peek) {
        peeked = null;
      }
      if (from != null) {
        from.address = known.sender;
      }
      int fits = Math.min(known.bytes.length, target.remaining());
      target.put(target.position(), known.bytes, 0, fits);
      return known.bytes.length;
    }
    long n;
    try {
      n =
          pollIo(
              reading,
              waker,
              (channel, one, many) -> receive(channel, one, peek, from),
              target,
              NONE,
              0);
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      throw NioErrors.datagram("receive", e);
    }
    return n == MUST_WAIT ? PENDING : (int) n;
  }

  private long receive(
      DatagramChannel channel, ByteBuffer target, boolean peek, @Nullable Sender from)
      throws IOException {
    ByteBuffer staging = NioBytes.takeStaging();
    try {
      SocketAddress sender;
      calls.lock();
      try {
        sender = channel.receive(staging);
      } finally {
        calls.unlock();
      }
      if (sender == null) {
        return NioCall.IN_VAIN;
      }
      staging.flip();
      int length = staging.remaining();
      if (peek) {
        byte[] bytes = new byte[length];
        staging.get(0, bytes);
        peeked = new Peeked(bytes, sender);
      }
      target.put(target.position(), staging, 0, Math.min(length, target.remaining()));
      if (from != null) {
        from.address = sender;
      }
      return length;
    } finally {
      NioBytes.giveBack(staging);
    }
  }

  // --- The socket ---

  /** The JDK lets go of what has arrived before it connects. */
  @Override
  public void connect(@Nullable SocketAddress remote) throws IOException {
    if (remote != null) {
      NioNames.toJdk(remote, driver().name());
    }
    try {
      call(channel -> {
        if (channel.isConnected()) {
          channel.disconnect();
        }
        return remote == null ? channel : channel.connect(remote);
      });
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException | IllegalArgumentException e) {
      throw remote == null ? NioErrors.of("disconnect", e) : NioErrors.connecting(remote, e);
    }
  }

  @Override
  public SocketAddress remoteAddress() throws IOException {
    return peer(call(DatagramChannel::getRemoteAddress));
  }

  @Override
  public void member(InetAddress group, NetworkInterface by, boolean joins) throws IOException {
    var membership = new Membership(group, by);
    String what = (joins ? "join " : "leave ") + group + " by " + by.getName();
    try {
      call(channel -> {
        if (joins) {
          if (memberships.containsKey(membership)) {
            throw new SocketException("Address already in use");
          }
          memberships.put(membership, channel.join(group, by));
        } else {
          MembershipKey member = memberships.remove(membership);
          if (member == null) {
            throw new SocketException("Cannot assign requested address");
          }
          member.drop();
        }
        return membership;
      });
    } catch (IOException | IllegalArgumentException e) {
      throw NioErrors.of(what, e);
    }
  }
}
