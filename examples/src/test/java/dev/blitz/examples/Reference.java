package dev.blitz.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Makes docs/guide/reference.md of the first sentence of each public type's Javadoc. {@code ./blitz
 * doc} runs it as a single file, with the root of the project as its argument.
 */
final class Reference {
  private static final Pattern TYPE =
      Pattern.compile("(?m)^public .*?(?:class|interface|record|enum) (\\w+)");
  private static final String HEAD =
      """
      # Everything, one line each

      Every public type, with the first sentence of its Javadoc; `./blitz doc` writes this page. The [guide's pages](README.md) tell how they are used, `./blitz doc` also
      builds the [Javadoc](../api.md).
      """;

  private Reference() {}

  /** A public type and what it is. */
  record Entry(String module, String packageName, String name, String path, String sentence) {
    String line() {
      return "| `" + name + "` | " + sentence + " [source](../../" + path + ") |\n";
    }
  }

  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[0]);
    Files.writeString(root.resolve("docs/guide/reference.md"), text(entries(root)));
  }

  private static String text(List<Entry> entries) {
    var text = new StringBuilder(HEAD);
    String before = "";
    for (Entry entry : entries) {
      if (!entry.packageName().equals(before)) {
        text.append("\n## ").append(entry.packageName()).append("\n\n| | |\n|---|---|\n");
        before = entry.packageName();
      }
      text.append(entry.line());
    }
    return text.toString();
  }

  /** All that the modules export. */
  static List<Entry> entries(Path root) throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (String module : List.of("blitz-io", "blitz-parallel", "blitz-test")) {
      Path source = root.resolve(module).resolve("src/main/java");
      Matcher exported =
          Pattern.compile("exports ([a-z.]+);")
              .matcher(Files.readString(source.resolve("module-info.java")));
      while (exported.find()) {
        String packageName = exported.group(1);
        try (Stream<Path> files = Files.list(source.resolve(packageName.replace('.', '/')))) {
          for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
            String code = read(file);
            Matcher type = TYPE.matcher(code);
            if (type.find()) {
              String path = root.relativize(file).toString().replace('\\', '/');
              String head = code.substring(0, type.start());
              entries.add(new Entry(module, packageName, type.group(1), path, firstSentence(head)));
            }
          }
        }
      }
    }
    return entries;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of the last Javadoc in {@code head}, as plain text. */
  private static String firstSentence(String head) {
    int begin = head.lastIndexOf("/**");
    if (begin < 0) {
      return "";
    }
    String comment = head.substring(begin + 3, head.indexOf("*/", begin));
    String text =
        comment
            .replaceAll("(?m)^\\s*\\* ?", "")
            .replaceAll("(?s)\\{@snippet.*", "")
            .replaceAll("\\{@(?:code|literal)\\s+([^}]*)\\}", "$1")
            .replaceAll("\\{@link(?:plain)?\\s+[^\\s}]*\\s+([^}]*)\\}", "$1")
            .replaceAll("\\{@link(?:plain)?\\s+#?([^}]*)\\}", "$1")
            .strip();
    return text.split("(?s)(?<=\\.)\\s|\n\n|<p>", 2)[0]
        .replaceAll("\\s+", " ")
        .replace("|", "\\|")
        .replace("#", ".");
  }
}
