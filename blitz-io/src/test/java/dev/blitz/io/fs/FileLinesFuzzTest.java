package dev.blitz.io.fs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.TestBackends;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Seeded garbage in a file that is read in seeded pieces, with seeded drops: the lines, and what
 * ends them, are those that a plain look at the whole finds.
 */
class FileLinesFuzzTest {
  private static final int SEEDS = 400;
  private static final byte[] ALPHABET = {
    'a', 'b', '\n', '\r', (byte) 0xc3, (byte) 0xa4, 'c', 'd', '\n', 'f'
  };
  private static final String TOO_LONG = "(too long)";
  private static final String NO_TEXT = "(no text)";

  @Nested
  class Native extends Fuzz {
    Native() {
      super("epoll");
    }
  }

  @Nested
  class Jdk extends Fuzz {
    Jdk() {
      super(TestBackends.JDK_FILES);
    }
  }

  abstract static class Fuzz extends FileConformance {
    Fuzz(String backend) {
      super(backend);
    }

    @Test
    void lines_areThoseOfTheWhole() throws Exception {
      Path path = dir.resolve("f");
      for (int seed = 0; seed < SEEDS; seed++) {
        var random = new SplittableRandom(seed);
        byte[] input = new byte[random.nextInt(120)];
        for (int i = 0; i < input.length; i++) {
          input[i] = ALPHABET[random.nextInt(ALPHABET.length)];
        }
        Files.write(path, input);
        int limit = random.nextInt(1, 20);
        int chunk = random.nextInt(1, 1 << random.nextInt(1, 8));
        boolean loop = random.nextBoolean();
        List<String> events = new ArrayList<>();
        try (var lines = inside(() -> new FileLines(path, UTF_8, limit, chunk))) {
          Iterator<String> iterator = lines.iterator();
          for (String line = next(lines, iterator, loop, random); line != null; ) {
            events.add(line);
            line = next(lines, iterator, loop, random);
          }
        } catch (FileSystemException e) {
          events.add(TOO_LONG);
        } catch (CharacterCodingException e) {
          events.add(NO_TEXT);
        } catch (UncheckedIOException e) {
          events.add(e.getCause() instanceof FileSystemException ? TOO_LONG : NO_TEXT);
        }
        assertThat(events).as("seed %s, limit %s", seed, limit).isEqualTo(expected(input, limit));
      }
    }

    private static @Nullable String next(
        FileLines lines, Iterator<String> iterator, boolean loop, SplittableRandom random)
        throws Exception {
      if (loop) {
        return iterator.hasNext() ? iterator.next() : null;
      }
      if (random.nextBoolean()) {
        var dropped = lines.next();
        var line = dropped.poll(new Bell().context());
        if (line != null) {
          return line.orElse(null);
        }
        dropped.drop();
      }
      return lines.next().await().orElse(null);
    }

    /** Up to the first that fails. */
    private static List<String> expected(byte[] input, int limit) {
      List<String> expected = new ArrayList<>();
      for (int from = 0; from < input.length; ) {
        int newline = from;
        while (newline < input.length && input[newline] != '\n') {
          newline++;
        }
        int to = newline > from && input[newline - 1] == '\r' ? newline - 1 : newline;
        if (to - from > limit) {
          expected.add(TOO_LONG);
          return expected;
        }
        try {
          var bytes = ByteBuffer.wrap(input, from, to - from);
          expected.add(UTF_8.newDecoder().decode(bytes).toString());
        } catch (CharacterCodingException e) {
          expected.add(NO_TEXT);
          return expected;
        }
        from = newline + 1;
      }
      return expected;
    }
  }
}
