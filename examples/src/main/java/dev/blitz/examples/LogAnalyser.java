package dev.blitz.examples;

import static java.util.Map.Entry.comparingByValue;

import dev.blitz.parallel.Parallel;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/**
 * Goes through a web server's log of any size on all cores: how many requests, errors and bytes,
 * and which pages were asked for most. The file is mapped, never read as a whole.
 *
 * <p>Shows: a range of pieces as a pipeline, reduce with a state per piece. Run: {@code ./blitz
 * example LogAnalyser access.log}; without an argument it makes a log of its own.
 */
public final class LogAnalyser {
  private static final int PIECE = 1 << 20;

  private LogAnalyser() {}

  /** What one piece of the log, or all of it, has in it. */
  private static final class Report {
    long requests;
    long errors;
    long bytes;
    final Map<String, Long> pages = new HashMap<>();

    /** {@code address - - [time] "GET /page HTTP/1.1" status bytes}. */
    void line(String line) {
      String[] parts = line.split("\"", -1);
      if (parts.length < 3) {
        return; // no line of a request
      }
      String[] request = parts[1].split(" ", -1);
      String[] end = parts[2].strip().split(" ", -1);
      requests++;
      errors += end[0].startsWith("5") ? 1 : 0;
      bytes += end.length > 1 && !end[1].equals("-") ? Long.parseLong(end[1]) : 0;
      pages.merge(request.length > 1 ? request[1] : "?", 1L, Long::sum);
    }

    Report plus(Report other) {
      requests += other.requests;
      errors += other.errors;
      bytes += other.bytes;
      other.pages.forEach((page, count) -> pages.merge(page, count, Long::sum));
      return this;
    }
  }

  /** Prints the report. */
  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      print(analyse(Path.of(args[0])));
      return;
    }
    Path log = Files.createTempFile("access", ".log");
    try {
      write(log, 50_000);
      print(analyse(log));
    } finally {
      Files.delete(log);
    }
  }

  private static Report analyse(Path log) throws IOException {
    try (var channel = FileChannel.open(log, StandardOpenOption.READ);
        var arena = Arena.ofShared()) {
      var text = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
      int pieces = Math.toIntExact((text.byteSize() + PIECE - 1) / PIECE);
      return Parallel.range(0, pieces)
          .mapToObj(piece -> analyse(text, (long) piece * PIECE))
          .reduce(new Report(), Report::plus);
    }
  }

  /** All lines that begin in the piece from {@code start} on. */
  private static Report analyse(MemorySegment text, long start) {
    var report = new Report();
    long end = Math.min(start + PIECE, text.byteSize());
    for (long line = start == 0 ? 0 : lineAfter(text, start - 1); line < end; ) {
      long next = lineAfter(text, line);
      byte[] bytes = text.asSlice(line, next - line).toArray(ValueLayout.JAVA_BYTE);
      report.line(new String(bytes, StandardCharsets.UTF_8));
      line = next;
    }
    return report;
  }

  /** Where the next line begins, after the first line break from {@code from} on. */
  private static long lineAfter(MemorySegment text, long from) {
    for (long i = from; i < text.byteSize(); i++) {
      if (text.get(ValueLayout.JAVA_BYTE, i) == '\n') {
        return i + 1;
      }
    }
    return text.byteSize();
  }

  private static void print(Report report) {
    IO.println(
        report.requests + " requests, " + report.errors + " errors, " + report.bytes + " bytes");
    report.pages.entrySet().stream()
        .sorted(comparingByValue((Long a, Long b) -> Long.compare(b, a)))
        .limit(3)
        .forEach(page -> IO.println(page.getKey() + " " + page.getValue()));
  }

  private static void write(Path log, int lines) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(log)) {
      for (int i = 0; i < lines; i++) {
        String page = i % 7 < 4 ? "/" : i % 7 < 6 ? "/news" : "/about";
        int status = i % 100 == 0 ? 503 : 200;
        out.write("10.0.0.1 - - [01/Jan/2026:00:00:00 +0000] \"GET " + page + " HTTP/1.1\" ");
        out.write(status + " " + 1000 + "\n");
      }
    }
  }
}
