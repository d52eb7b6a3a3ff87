package dev.blitz.benchmarks.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;

/** The echo server on Netty: one event loop, writes flushed when a batch of reads is over. */
final class NettyEcho {
  private NettyEcho() {}

  static void run(IoHandlerFactory factory, Class<? extends ServerChannel> type)
      throws InterruptedException {
    run(factory, type, channel -> channel.pipeline().addLast(new Echo()));
  }

  /** Through TLS, on epoll. */
  static void runTls(SslProvider provider) throws Exception {
    SslContext context =
        SslContextBuilder.forServer(TlsMaterial.certificate(), TlsMaterial.key())
            .sslProvider(provider)
            .protocols(TlsMaterial.PROTOCOL)
            .ciphers(List.of(TlsMaterial.CIPHER))
            .build();
    run(
        EpollIoHandler.newFactory(),
        EpollServerSocketChannel.class,
        channel ->
            channel.pipeline().addLast(context.newHandler(channel.alloc())).addLast(new Echo()));
  }

  /** Datagrams. */
  static void runUdp(IoHandlerFactory factory, Class<? extends Channel> type)
      throws InterruptedException {
    answer(new Bootstrap().group(new MultiThreadIoEventLoopGroup(1, factory)).channel(type));
  }

  /** Datagrams, received as many at a time as are there; by epoll, the only one that has that. */
  static void runUdpBatches() throws InterruptedException {
    answer(
        new Bootstrap()
            .group(new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory()))
            .channel(EpollDatagramChannel.class)
            .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, EchoServers.BATCH_BYTES_EACH)
            .option(
                ChannelOption.RECVBUF_ALLOCATOR,
                new FixedRecvByteBufAllocator(EchoServers.BATCH * EchoServers.BATCH_BYTES_EACH)));
  }

  private static void answer(Bootstrap bootstrap) throws InterruptedException {
    Channel socket =
        bootstrap.handler(new Answer()).bind(InetAddress.getLoopbackAddress(), 0).sync().channel();
    EchoServers.announce(((InetSocketAddress) socket.localAddress()).getPort());
    socket.closeFuture().sync();
  }

  /** On a Unix socket, by epoll. */
  static void runUnix() throws Exception {
    Channel server =
        bootstrap(
                EpollIoHandler.newFactory(),
                EpollServerDomainSocketChannel.class,
                channel -> channel.pipeline().addLast(new Echo()))
            .bind(new DomainSocketAddress(SocketPath.ours().toFile()))
            .sync()
            .channel();
    SocketPath.announce();
    server.closeFuture().sync();
  }

  private static ServerBootstrap bootstrap(
      IoHandlerFactory factory, Class<? extends ServerChannel> type, Consumer<Channel> handlers) {
    return new ServerBootstrap()
        .group(new MultiThreadIoEventLoopGroup(1, factory))
        .channel(type)
        .option(ChannelOption.SO_BACKLOG, 4096)
        .childHandler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                handlers.accept(channel);
              }
            });
  }

  private static void run(
      IoHandlerFactory factory, Class<? extends ServerChannel> type, Consumer<Channel> handlers)
      throws InterruptedException {
    Channel server =
        bootstrap(factory, type, handlers)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .bind(InetAddress.getLoopbackAddress(), 0)
            .sync()
            .channel();
    EchoServers.announce(((InetSocketAddress) server.localAddress()).getPort());
    server.closeFuture().sync();
  }

  @ChannelHandler.Sharable
  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the channel
    public void channelRead(ChannelHandlerContext context, Object message) {
      context.write(message, context.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // there is nobody to tell
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }
  }

  @ChannelHandler.Sharable
  private static final class Answer extends ChannelInboundHandlerAdapter {
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // what is lost is lost
    public void channelRead(ChannelHandlerContext context, Object message) {
      var datagram = (DatagramPacket) message;
      context.write(
          new DatagramPacket(datagram.content(), datagram.sender()), context.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }
  }
}
