package dev.blitz.io.bytes.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.bytes.BufferedByteReader;
import dev.blitz.io.bytes.FrameReader;
import dev.blitz.io.bytes.TooLongException;
import dev.blitz.io.future.Context;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Seeded garbage, cut into seeded pieces, with seeded drops: the frames, and the failures between
 * them, are those that a plain look at the whole finds.
 */
@Strict
@OnceIsEnough
class CodecFuzzTest {
  private static final int SEEDS = 3_000;
  private static final int MOST_EVENTS = 10_000;
  private static final Context NOBODY = Context.of(() -> {});

  private static final String TOO_LONG = "(too long)";
  private static final String NO_TEXT = "(no text)";
  private static final String CUT = "(cut)";
  private static final String MALFORMED = "(malformed)";

  /** What comes out of a codec, in order; ends where it refuses to go on. */
  private static <F> List<String> events(Codec<F> codec, byte[] input, long seed) {
    var random = new SplittableRandom(seed);
    int largest = 1 << random.nextInt(8);
    var in =
        BufferedByteReader.ofCapacity(
            random.nextInt(1, 40), new Pieces(input, largest, random.nextLong()));
    FrameReader<F> frames = codec.reader(in);
    var events = new ArrayList<String>();
    while (!frames.hasEnded()) {
      assertThat(events).hasSizeLessThan(MOST_EVENTS);
      try {
        F frame = random.nextBoolean() ? frames.pollNext(NOBODY) : polledOnce(frames);
        if (frame != null) {
          events.add(shown(frame));
        }
      } catch (TooLongException e) {
        events.add(TOO_LONG);
      } catch (CharacterCodingException e) {
        events.add(NO_TEXT);
      } catch (EOFException e) {
        events.add(CUT);
        break;
      } catch (IOException e) {
        events.add(MALFORMED);
        break;
      }
    }
    return events;
  }

  /** By a future that is dropped if it has to wait. */
  private static <F> @Nullable F polledOnce(FrameReader<F> frames) throws IOException {
    var next = frames.next();
    var frame = next.poll(NOBODY);
    if (frame == null) {
      next.drop();
      return null;
    }
    return frame.orElse(null);
  }

  private static String shown(Object frame) {
    return frame instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : frame.toString();
  }

  /** Bytes of a small alphabet, so that delimiters and parts of them are frequent. */
  private static byte[] garbage(SplittableRandom random, byte... alphabet) {
    byte[] garbage = new byte[random.nextInt(200)];
    for (int i = 0; i < garbage.length; i++) {
      garbage[i] = alphabet[random.nextInt(alphabet.length)];
    }
    return garbage;
  }

  private static List<byte[]> split(byte[] input, byte[] delimiter) {
    var parts = new ArrayList<byte[]>();
    int start = 0;
    for (int i = 0; i + delimiter.length <= input.length; i++) {
      if (Arrays.equals(input, i, i + delimiter.length, delimiter, 0, delimiter.length)) {
        parts.add(Arrays.copyOfRange(input, start, i));
        start = i + delimiter.length;
        i = start - 1;
      }
    }
    if (start < input.length) {
      parts.add(Arrays.copyOfRange(input, start, input.length));
    }
    return parts;
  }

  @Test
  void lines_areThoseOfTheWhole() {
    byte[] alphabet = {'a', 'b', '\n', '\r', (byte) 0xc3, (byte) 0xa4, 'c', 'd', 'e', 'f'};
    for (int seed = 0; seed < SEEDS; seed++) {
      var random = new SplittableRandom(seed);
      byte[] input = garbage(random, alphabet);
      int limit = random.nextInt(20);
      var expected = new ArrayList<String>();
      for (byte[] line : split(input, new byte[] {'\n'})) {
        int length =
            line.length > 0 && line[line.length - 1] == '\r' ? line.length - 1 : line.length;
        expected.add(length > limit ? TOO_LONG : strictText(Arrays.copyOf(line, length)));
      }
      assertThat(events(Lines.codec().limit(limit), input, seed))
          .as("seed %s", seed)
          .isEqualTo(expected);
    }
  }

  private static String strictText(byte[] bytes) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return NO_TEXT;
    }
  }

  @Test
  void delimitedFrames_areThoseOfTheWhole() {
    byte[][] delimiters = {{0}, {1, 2}, {1, 1, 2}, {1, 1, 1}, {1, 2, 1, 2, 3}};
    for (int seed = 0; seed < SEEDS; seed++) {
      var random = new SplittableRandom(seed);
      byte[] delimiter = delimiters[random.nextInt(delimiters.length)];
      byte[] input = garbage(random, (byte) 0, (byte) 1, (byte) 2, (byte) 3, (byte) 1);
      int limit = random.nextInt(30);
      var expected = new ArrayList<String>();
      for (byte[] frame : split(input, delimiter)) {
        expected.add(frame.length > limit ? TOO_LONG : shown(frame));
      }
      assertThat(events(Delimited.by(delimiter).limit(limit), input, seed))
          .as("seed %s", seed)
          .isEqualTo(expected);
    }
  }

  @Test
  void framesWithALength_areThoseOfTheWhole() {
    for (int seed = 0; seed < SEEDS; seed++) {
      var random = new SplittableRandom(seed);
      int size = random.nextInt(1, 9);
      int offset = random.nextInt(3);
      int adjustment = random.nextInt(-4, 3);
      int limit = random.nextInt(20);
      boolean keeps = random.nextBoolean();
      var order = random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
      var codec =
          LengthDelimited.ofBytes(size)
              .order(order)
              .offset(offset)
              .adjustment(adjustment)
              .limit(limit);
      byte[] input = framesAndGarbage(random, size, offset, adjustment, order);
      assertThat(events(keeps ? codec.keepHeader() : codec, input, seed))
          .as("seed %s", seed)
          .isEqualTo(expectedByLength(input, size, offset, adjustment, order, limit, keeps));
    }
  }

  private static byte[] framesAndGarbage(
      SplittableRandom random, int size, int offset, int adjustment, ByteOrder order) {
    var out = new ByteArrayOutputStream();
    for (int frames = random.nextInt(12); frames > 0; frames--) {
      int body = random.nextInt(25);
      out.writeBytes(new byte[offset]);
      long length = Math.max(0, body - adjustment);
      for (int i = 0; i < size; i++) {
        int shift = order == ByteOrder.LITTLE_ENDIAN ? i : size - 1 - i;
        out.write(shift < 8 ? (int) (length >>> (8 * shift)) : 0);
      }
      byte[] bytes = new byte[body];
      random.nextBytes(bytes);
      out.writeBytes(bytes);
    }
    if (random.nextBoolean()) {
      out.writeBytes(garbage(random, (byte) 0, (byte) 1, (byte) 7, (byte) 0, (byte) -1));
    }
    return out.toByteArray();
  }

  private static List<String> expectedByLength(
      byte[] input,
      int size,
      int offset,
      int adjustment,
      ByteOrder order,
      int limit,
      boolean keeps) {
    var expected = new ArrayList<String>();
    int header = offset + size;
    for (int at = 0; at < input.length; ) {
      if (input.length - at < header) {
        expected.add(CUT);
        return expected;
      }
      long length = 0;
      for (int i = 0; i < size; i++) {
        int next = order == ByteOrder.BIG_ENDIAN ? i : size - 1 - i;
        length = (length << 8) | (input[at + offset + next] & 0xff);
      }
      long body = length + adjustment;
      if (length < 0 || body < 0 || body > Long.MAX_VALUE - header) {
        expected.add(MALFORMED);
        return expected;
      }
      boolean whole = body <= input.length - at - header;
      if (body > limit) {
        expected.add(TOO_LONG);
      } else if (whole) {
        int from = keeps ? at : at + header;
        expected.add(shown(Arrays.copyOfRange(input, from, at + header + (int) body)));
      }
      if (!whole) {
        expected.add(CUT);
        return expected;
      }
      at += header + (int) body;
    }
    return expected;
  }
}
