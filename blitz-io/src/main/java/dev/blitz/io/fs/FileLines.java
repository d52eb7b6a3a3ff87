package dev.blitz.io.fs;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.future.Context;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link AsyncFile#lines}. */
/* Implementation notes
 *
 * While lines are taken from one chunk the next one is being read. What is left of a line at the end of a chunk is moved to `carry`.
 */
final class FileLines extends Pulled<String> {
  /** The most bytes of a line unless the user says otherwise. */
  static final int MOST_BYTES = 1 << 20;

  private static final int CHUNK_BYTES = 256 << 10;
  private static final int CARRY_BYTES = 256;
  private static final long LARGEST_ARRAY = Integer.MAX_VALUE - 8;
  private static final char REPLACED = '\uFFFD';

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long EACH = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;
  private static final long NEWLINES = '\n' * EACH;

  private static final Context NOBODY = Context.of(() -> {});

  private final Path path;
  private final Charset charset;
  private final int limit;
  private final int chunkBytes;
  private @Nullable FileHost<AsyncFile> opening;
  private @Nullable AsyncFile file;
  private byte[] chunk = {};
  private int at;
  private int end;
  private ByteBuffer spare = ByteBuffer.wrap(chunk);
  private int ahead;
  private byte[] carry = {};
  private int carried;
  private boolean carries;

  FileLines(Path path, Charset charset, int limit) {
    this(path, charset, limit, CHUNK_BYTES);
  }

  FileLines(Path path, Charset charset, int limit, int chunkBytes) {
    this.chunkBytes = chunkBytes;
    this.path = Objects.requireNonNull(path, "path");
    this.charset = Objects.requireNonNull(charset, "charset");
    this.limit = limit;
    if (!Arrays.equals("\n".getBytes(charset), new byte[] {'\n'})) {
      throw new IllegalArgumentException("lines in " + charset + " have no byte that ends them");
    }
    if (limit < 1) {
      throw new IllegalArgumentException("no limit: " + limit);
    }
    opening = AsyncFile.opening(path);
  }

  @Override
  @Nullable String advance(Context cx) throws IOException {
    for (; ; ) {
      int newline = find(chunk, at, end);
      if (newline >= 0) {
        if (!cx.proceed()) {
          return null;
        }
        return line(newline);
      }
      if (at < end) {
        carry(end);
        at = end;
      }
      int n = readChunk(cx);
      if (n == ByteReader.PENDING) {
        return null;
      }
      if (n == ByteReader.EOF) {
        String last = carries ? decode(carry, 0, withoutReturn(carry, 0, carried)) : null;
        close();
        return last;
      }
    }
  }

  /**
   * The next line, if all of it is in memory: for the one user, between two polls. It costs neither
   * a poll nor an atomic step. A close meanwhile takes nothing away that this uses.
   */
  @Nullable String nextNow() throws IOException {
    if (!isIdle() || carries) {
      return null;
    }
    int newline = find(chunk, at, end);
    if (newline < 0) {
      return null;
    }
    boolean failed = true;
    try {
      String line = line(newline);
      failed = false;
      return line;
    } finally {
      if (failed) {
        close();
      }
    }
  }

  @Override
  public Iterator<String> iterator() {
    return new LineIterator(this, super.iterator());
  }

  private String line(int newline) throws IOException {
    if (carries) {
      carry(newline);
      at = newline + 1;
      String line = decode(carry, 0, withoutReturn(carry, 0, carried));
      carried = 0;
      carries = false;
      return line;
    }
    int from = at;
    int length = withoutReturn(chunk, from, newline) - from;
    if (length > limit) {
      throw tooLong();
    }
    at = newline + 1;
    return decode(chunk, from, length);
  }

  private static int withoutReturn(byte[] bytes, int from, int to) {
    return to > from && bytes[to - 1] == '\r' ? to - 1 : to;
  }

  private void carry(int to) throws IOException {
    int more = to - at;
    long length = (long) carried + more;
    boolean mayEnd = more == 0 || chunk[to - 1] == '\r'; // which is not the line's
    if (length > (mayEnd ? limit + 1L : limit)) {
      throw tooLong();
    }
    if (carry.length < length) {
      long most = Math.min(limit + 1L, LARGEST_ARRAY);
      carry = Arrays.copyOf(carry, (int) Math.min(most, Math.max(CARRY_BYTES, 2 * length)));
    }
    System.arraycopy(chunk, at, carry, carried, more);
    carried += more;
    carries = true;
  }

  private FileSystemException tooLong() {
    return new FileSystemException(
        path.toString(), null, "lines: a line has more than the limit of " + limit + " bytes");
  }

  /** A replaced byte may be one that was malformed: the strict decoder tells, and throws. */
  private String decode(byte[] bytes, int from, int length) throws CharacterCodingException {
    String line = new String(bytes, from, length, charset);
    return line.indexOf(REPLACED) < 0
        ? line
        : charset.newDecoder().decode(ByteBuffer.wrap(bytes, from, length)).toString();
  }

  private int readChunk(Context cx) throws IOException {
    AsyncFile from = file;
    if (from == null) {
      from = open(cx);
      if (from == null) {
        return ByteReader.PENDING;
      }
    }
    int n = ahead > 0 ? ahead : from.pollRead(cx, spare);
    ahead = 0;
    if (n > 0) {
      byte[] read = spare.array();
      spare = ByteBuffer.wrap(chunk);
      chunk = read;
      at = 0;
      end = n;
      if (spare.capacity() == 0) {
        spare = ByteBuffer.allocate(chunkBytes);
      }
      readAhead(from);
    }
    return n;
  }

  private @Nullable AsyncFile open(Context cx) throws IOException {
    FileHost<AsyncFile> now = Objects.requireNonNull(opening);
    boolean ended = true;
    AsyncFile opened = null;
    try {
      opened = now.poll(cx);
      ended = opened != null;
    } finally {
      if (ended) {
        opening = null;
      }
    }
    if (opened != null) {
      file = opened;
      spare = ByteBuffer.allocate(chunkBytes);
    }
    return opened;
  }

  /** Begins the read of the next chunk. */
  private void readAhead(AsyncFile from) {
    try {
      ahead = Math.max(0, from.pollRead(NOBODY, spare));
    } catch (IOException e) {
      // The read that needs it will say so.
    }
  }

  /** Where the first newline is; -1 if there is none. */
  private static int find(byte[] bytes, int from, int to) {
    int i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      long word = (long) LONGS.get(bytes, i) ^ NEWLINES;
      long zeros = (word - EACH) & ~word & HIGHS;
      if (zeros != 0) {
        return i + (Long.numberOfTrailingZeros(zeros) >>> 3);
      }
    }
    for (; i < to; i++) {
      if (bytes[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  @Override
  void forget() {
    FileHost<AsyncFile> now = opening;
    if (now != null) {
      now.drop(); // first: one that overflows can be made again
      opening = now.again();
    }
    AsyncFile from = file;
    if (from != null) {
      from.forgetRead();
    }
  }

  @Override
  void giveBack() {
    FileHost<AsyncFile> now = opening;
    if (now != null) {
      now.drop(); // first: one that overflows can be made again
      opening = null;
    }
    AsyncFile open = file;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public String toString() {
    return "the lines of " + path;
  }
}
