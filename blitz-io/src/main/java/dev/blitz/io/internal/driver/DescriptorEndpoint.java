package dev.blitz.io.internal.driver;

import dev.blitz.io.future.Waker;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A descriptor of any kind that can be waited for. Its two sides, and what pending means, are as
 * with a {@link StreamEndpoint}, and so is a call without a waker.
 */
public interface DescriptorEndpoint extends Endpoint {

  /** Nothing more will come. */
  int EOF = StreamEndpoint.EOF;

  /** Nothing yet; the waker has been kept. */
  int PENDING = StreamEndpoint.PENDING;

  /**
   * Whether a read would not wait now: there is something, or an end, or an error. Asks the kernel
   * each time, so it may be asked again and again. False: the waker has been kept.
   */
  boolean pollReadable(Waker waker) throws IOException;

  /** As {@link #pollReadable}, for writing. */
  boolean pollWritable(Waker waker) throws IOException;

  /**
   * Reads.
   *
   * @param target not empty
   * @return how many bytes, {@link #EOF} or {@link #PENDING}
   */
  int pollRead(ByteBuffer target, @Nullable Waker waker) throws IOException;

  /** As {@link #pollRead} into several segments, none of them empty, in order. */
  long pollReadVectored(MemorySegment[] targets, Waker waker) throws IOException;

  /**
   * Writes.
   *
   * @param source not empty
   * @return how many bytes, at least 1, or {@link #PENDING}
   */
  int pollWrite(ByteBuffer source, @Nullable Waker waker) throws IOException;

  /** As {@link #pollWrite} from several segments, none of them empty, in order. */
  long pollWriteVectored(MemorySegment[] sources, Waker waker) throws IOException;

  /**
   * Tells whoever reads the other end that nothing more comes: a socket ends its output, what can
   * only be written to is closed, and with anything else nothing happens. Does not wait.
   */
  void shutdownOutput() throws IOException;

  /** Forgets the waker of the reading side, at once. */
  void forgetReader();

  /** Forgets the waker of the writing side. */
  void forgetWriter();
}
