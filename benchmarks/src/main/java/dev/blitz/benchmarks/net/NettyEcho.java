package dev.blitz.benchmarks.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
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

  private static void run(
      IoHandlerFactory factory, Class<? extends ServerChannel> type, Consumer<Channel> handlers)
      throws InterruptedException {
    var group = new MultiThreadIoEventLoopGroup(1, factory);
    Channel server =
        new ServerBootstrap()
            .group(group)
            .channel(type)
            .option(ChannelOption.SO_BACKLOG, 4096)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    handlers.accept(channel);
                  }
                })
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
}
