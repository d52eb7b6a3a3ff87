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
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The echo server on Netty: one event loop, writes flushed when a batch of reads is over. */
final class NettyEcho {
  private NettyEcho() {}

  static void run(IoHandlerFactory factory, Class<? extends ServerChannel> type)
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
                    channel.pipeline().addLast(new Echo());
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
