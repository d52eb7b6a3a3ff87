package dev.blitz.io.fs;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.DirectInput;
import dev.blitz.io.bytes.GuardedStream;
import dev.blitz.io.future.Context;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.file.FileOperation;
import dev.blitz.io.internal.file.Gather;
import dev.blitz.io.internal.file.OpenFile;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** {@link AsyncFile#range}. */
/* Implementation notes
 *
 * What is in the page cache is read from there. Else there are two operations: the bytes of `current` are handed out
 * while `next` is being read behind them. A poll that is forgotten leaves both: their places do not depend on
 * anybody. `position` is that of the next byte to be handed out, `end` where the range ends.
 */
final class FileRange implements ByteReader, DirectInput {
  private static final int CHUNK_BYTES = 256 << 10;

  private final AsyncFile handle;
  private final OpenFile file;
  private final OpenFile.StragglerWait wait = new OpenFile.StragglerWait();
  private final PresentBytes present = new PresentBytes();
  private final long end;
  private long position;
  private @Nullable FileOperation current;
  private @Nullable FileOperation next;
  private boolean handsOut;

  FileRange(AsyncFile handle, long position, long length) {
    this.handle = handle;
    this.file = handle.file();
    this.position = position;
    this.end = position + Math.min(length, Long.MAX_VALUE - position);
  }

  @Override
  public int pollRead(Context cx, ByteBuffer target) throws IOException {
    handle.requireReadable();
    Checks.writable(target);
    if (!cx.proceed()) {
      return PENDING;
    }
    StackRoom.forCalls(); // what has begun is noted
    try {
      int n = read(cx, target);
      if (n == PENDING) {
        cx.refund();
      }
      return n;
    } finally {
      Reference.reachabilityFence(handle);
    }
  }

  private int read(Context cx, ByteBuffer target) throws IOException {
    if (!file.awaitStragglers(wait, cx.waker())) {
      return PENDING;
    }
    if (!target.hasRemaining()) {
      return 0;
    }
    if (position == end) {
      return EOF;
    }
    FileOperation now = current;
    if (now == null) {
      int n = readNow(target);
      if (n != PENDING) {
        return n;
      }
      now = begin(position);
      current = now;
    }
    long n = poll(now, cx);
    if (n == PENDING) {
      return PENDING;
    }
    if (n < 0) {
      giveUp();
      return EOF;
    }
    if (!handsOut) {
      handsOut = true;
      readAhead(position + n);
    }
    return handOut(now, target);
  }

  private int readNow(ByteBuffer target) {
    int limit = target.limit();
    target.limit(target.position() + (int) Math.min(target.remaining(), end - position));
    try {
      int n = file.readNow(target, position);
      position += Math.max(0, n);
      return n;
    } finally {
      target.limit(limit);
    }
  }

  /** While nothing has been read ahead. */
  @Override
  public long move(Move move) throws IOException {
    handle.requireReadable();
    StackRoom.forCalls(); // to let go of what is in use, and to note what was taken
    if (current != null
        || position == end
        || file.number() < 0
        || file.hasStragglers()
        || !file.tryUse()) {
      return GuardedStream.BY_MEMORY;
    }
    try {
      int most = (int) Math.min(FileInput.SENT_BYTES, end - position);
      int there = present.count(file.number(), position, most);
      if (there == 0) {
        return GuardedStream.BY_MEMORY;
      }
      long n = move.make(file.number(), position, there);
      present.taken(n);
      position += Math.max(0, n);
      return n;
    } finally {
      file.release();
      Reference.reachabilityFence(handle);
    }
  }

  private FileOperation begin(long at) throws IOException {
    return file.read((int) Math.min(CHUNK_BYTES, end - at), at);
  }

  private void readAhead(long at) throws IOException {
    if (at < end && !file.hasStragglers()) {
      next = begin(at);
    }
  }

  private long poll(FileOperation now, Context cx) throws IOException {
    boolean failed = true;
    try {
      long n = now.poll(cx.waker());
      failed = false;
      return n;
    } finally {
      if (failed) {
        giveUp();
      }
    }
  }

  private int handOut(FileOperation now, ByteBuffer target) {
    int n = Gather.into(new ByteBuffer[] {target}, now.bytes());
    position += n;
    if (!now.bytes().hasRemaining()) {
      current = next;
      next = null;
      handsOut = false;
      now.release();
    }
    return n;
  }

  /** Another read begins anew. */
  private void giveUp() {
    FileOperation now = current;
    if (now != null) {
      now.abandon(); // at the end of the stack it overflows before it has done anything
      current = null;
      handsOut = false;
    }
    FileOperation behind = next;
    if (behind != null) {
      behind.abandon();
      next = null;
    }
  }

  @Override
  public void forgetRead() {
    FileOperation now = current;
    if (now != null) {
      now.forget();
    }
    present.forget();
    file.forget(wait);
  }

  @Override
  public String toString() {
    return "what is between " + position + " and " + end + " of " + file.path();
  }
}
