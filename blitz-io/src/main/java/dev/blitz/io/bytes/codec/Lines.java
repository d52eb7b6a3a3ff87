package dev.blitz.io.bytes.codec;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.Decoder;
import dev.blitz.io.bytes.Encoder;
import dev.blitz.io.bytes.FrameReader;
import dev.blitz.io.bytes.TooLongException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Lines of text, which end with {@code \n} or {@code \r\n}; the last one may do without. UTF-8 and
 * 1 MB per line as a rule.
 *
 * {@snippet :
 * for (String line : Lines.codec().limit(1000).reader(stream)) {
 *   handle(line);
 * }
 * }
 *
 * <p>A line over the limit is a {@link TooLongException}, one whose bytes are no text a {@link
 * CharacterCodingException}; it is skipped, and the next read goes on with the next line.
 */
public final class Lines implements Codec<String> {
  private static final byte[] NEWLINE = {'\n'};
  private static final Lines USUAL = new Lines(StandardCharsets.UTF_8, 1 << 20, "\n");

  private final Charset charset;
  private final int limit;
  private final String ending;

  private Lines(Charset charset, int limit, String ending) {
    this.charset = charset;
    this.limit = limit;
    this.ending = ending;
  }

  /** The lines that {@code from} reads, as a rule. */
  public static FrameReader<String> of(ByteReader from) {
    return USUAL.reader(from);
  }

  /** Lines as a rule. */
  public static Lines codec() {
    return USUAL;
  }

  /** The same with another limit: how many bytes a line may have, without its ending. */
  public Lines limit(int bytes) {
    return new Lines(charset, checkedLimit(bytes), ending);
  }

  static int checkedLimit(int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a negative limit: " + bytes);
    }
    return bytes;
  }

  /** The same in another charset; one in which a new line is one byte as in ASCII. */
  public Lines charset(Charset other) {
    ByteBuffer newline = other.encode("\n");
    if (newline.remaining() != 1 || newline.get() != '\n') {
      throw new IllegalArgumentException(other + " does not end its lines with the byte 10");
    }
    return new Lines(other, limit, ending);
  }

  /** The same, written with {@code \r\n}. Both are read in any case. */
  public Lines crlf() {
    return new Lines(charset, limit, "\r\n");
  }

  @Override
  public Decoder<String> decoder() {
    return new DelimiterDecoder<>(NEWLINE, limit, 1) {
      @Override
      int lengthOf(ByteBuffer bytes, int from, int length) {
        return length > 0 && bytes.get(from + length - 1) == '\r' ? length - 1 : length;
      }

      @Override
      String frame(ByteBuffer bytes, int from, int length) throws CharacterCodingException {
        return text(bytes, from, length);
      }
    };
  }

  private String text(ByteBuffer bytes, int from, int length) throws CharacterCodingException {
    String text;
    if (bytes.hasArray()) {
      text = new String(bytes.array(), bytes.arrayOffset() + from, length, charset);
    } else {
      byte[] copy = new byte[length];
      bytes.get(from, copy);
      text = new String(copy, charset);
    }
    if (text.indexOf('\uFFFD') >= 0) {
      return strictly(bytes.slice(from, length)); // it was there, or something was replaced by it
    }
    return text;
  }

  private String strictly(ByteBuffer bytes) throws CharacterCodingException {
    CharBuffer text =
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT)
            .decode(bytes);
    return text.toString();
  }

  /** Refuses lines that are too long, or that would be read as other lines. */
  @Override
  public Encoder<String> encoder() {
    return (line, out) -> {
      if (line.indexOf('\n') >= 0 || line.endsWith("\r")) {
        throw new IllegalArgumentException(
            "a line cannot contain the end of a line: send each by itself");
      }
      byte[] bytes = line.getBytes(charset);
      if (bytes.length > limit) {
        throw new TooLongException(
            "a line of " + bytes.length + " bytes, and the limit is " + limit, limit);
      }
      out.put(bytes);
      for (int i = 0; i < ending.length(); i++) {
        out.put(ending.charAt(i));
      }
    };
  }

  @Override
  public String toString() {
    return "lines of " + charset + ", up to " + limit + " bytes";
  }
}
