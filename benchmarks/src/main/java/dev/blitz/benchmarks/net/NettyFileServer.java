package dev.blitz.benchmarks.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * The peer of the example {@code FileServer}: files by HTTP/1.1 on Netty's epoll transport, a file
 * opened on the event loop and sent by {@code sendfile}. Its HTTP is just enough for wrk. Run by
 * {@code benchmarks/servers}: port, directory, number of event loops.
 */
public final class NettyFileServer {
  private NettyFileServer() {}

  /** Serves until it is killed. */
  public static void main(String[] args) throws InterruptedException {
    var address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
    Path root = Path.of(args[1]);
    var group =
        new MultiThreadIoEventLoopGroup(Integer.parseInt(args[2]), EpollIoHandler.newFactory());
    new ServerBootstrap()
        .group(group)
        .channel(EpollServerSocketChannel.class)
        .option(ChannelOption.SO_BACKLOG, 4096)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childHandler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new Requests(root));
              }
            })
        .bind(address)
        .sync()
        .channel()
        .closeFuture()
        .sync();
  }

  private static final class Requests extends ByteToMessageDecoder {
    private static final ByteBuf END =
        Unpooled.unreleasableBuffer(
            Unpooled.wrappedBuffer("\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));

    private final Path root;

    Requests(Path root) {
      this.root = root;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out)
        throws IOException {
      int end = ByteBufUtil.indexOf(END, in);
      if (end < 0) {
        return;
      }
      var head = in.readCharSequence(end - in.readerIndex(), StandardCharsets.US_ASCII).toString();
      in.skipBytes(4);
      answer(ctx, head.substring("GET /".length(), head.indexOf(' ', 5)));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // void promises: failures reach exceptionCaught
    private void answer(ChannelHandlerContext ctx, String name) throws IOException {
      Path path = root.resolve(name).normalize();
      RandomAccessFile file;
      try {
        if (!path.startsWith(root)) {
          throw new FileNotFoundException(name);
        }
        file = new RandomAccessFile(path.toFile(), "r");
      } catch (FileNotFoundException e) {
        ctx.write(text("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"), ctx.voidPromise());
        return;
      }
      long length = file.length();
      ctx.write(
          text(
              "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                  + length
                  + "\r\n\r\n"),
          ctx.voidPromise());
      ctx.write(new DefaultFileRegion(file.getChannel(), 0, length))
          .addListener(sent -> file.close());
    }

    private static ByteBuf text(String text) {
      return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
      super.channelReadComplete(ctx);
      ctx.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close().addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }
  }
}
