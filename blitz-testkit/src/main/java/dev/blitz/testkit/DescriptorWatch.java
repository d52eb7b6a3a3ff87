package dev.blitz.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Watches the process's open file descriptors where the kernel lists them under {@code /proc}. */
final class DescriptorWatch implements LeakWatch {

  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  /**
   * What the JVM opens when it sees fit and keeps. The pollers' and dispatchers' descriptors have
   * targets that a leak of our own would have too, so they are not listed here: {@link JdkWarmUp}
   * opens them before the first look.
   */
  private static final List<Pattern> IGNORED_TARGETS =
      List.of(
          // class loading; a class file that a loader opens at the end of a stack stays until it is
          // collected
          Pattern.compile(".*\\.(jar|jmod|jsa|class)( \\(deleted\\))?|.*/lib/modules"),
          // this very listing
          Pattern.compile("/proc/\\d+/fd"),
          // SecureRandom keeps its sources open
          Pattern.compile("/dev/u?random"));

  private final List<Pattern> alsoIgnored;

  private record Descriptor(int number, String target) {
    @Override
    public String toString() {
      return number + " -> " + target;
    }
  }

  DescriptorWatch(List<Pattern> alsoIgnored) {
    this.alsoIgnored = alsoIgnored;
  }

  static boolean supported() {
    return Files.isDirectory(DESCRIPTORS);
  }

  @Override
  public String kind() {
    return "file descriptor";
  }

  @Override
  public Map<Object, Supplier<String>> live() {
    Map<Object, Supplier<String>> live = new HashMap<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path entry : entries) {
        addIfOpen(entry, live);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (DirectoryIteratorException e) {
      throw new UncheckedIOException(e.getCause());
    }
    return live;
  }

  private void addIfOpen(Path entry, Map<Object, Supplier<String>> live) {
    String target;
    try {
      target = Files.readSymbolicLink(entry).toString();
    } catch (IOException closedMeanwhile) {
      return;
    }
    if (!ThreadWatch.matchesAny(IGNORED_TARGETS, target)
        && !ThreadWatch.matchesAny(alsoIgnored, target)) {
      var descriptor = new Descriptor(Integer.parseInt(entry.getFileName().toString()), target);
      live.put(descriptor, descriptor::toString);
    }
  }
}
