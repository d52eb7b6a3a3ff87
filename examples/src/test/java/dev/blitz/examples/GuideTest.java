package dev.blitz.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The guide says what is so: its programs are compiled, its links lead somewhere, its index has
 * everything.
 */
@Strict
class GuideTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path GUIDE = ROOT.resolve("docs/guide");
  private static final Pattern BLOCK = Pattern.compile("(?s)```java\n(.*?)```");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]*)(#[^)]*)?\\)");

  private static String compiled() throws IOException {
    var text = new StringBuilder();
    for (String folder : List.of("examples/src", "blitz-io/src/test")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .filter(file -> folder.startsWith("examples") || file.toString().contains("Guide"))
            .forEach(file -> text.append(bare(read(file))).append('\n'));
      }
    }
    return text.toString();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Without comments and white space. */
  private static String bare(String code) {
    return code.replaceAll("//[^\n]*", "").replaceAll("\\s+", "");
  }

  private static Stream<Path> pages() throws IOException {
    try (Stream<Path> files = Files.list(GUIDE)) {
      return Stream.concat(Stream.of(ROOT.resolve("README.md")), files.sorted().toList().stream());
    }
  }

  private static List<String> programs(Path page) {
    return BLOCK.matcher(read(page)).results().map(found -> found.group(1)).toList();
  }

  private static boolean isWhole(String program) {
    return program.startsWith("import ");
  }

  @ParameterizedTest
  @MethodSource("pages")
  void programs_areCompiled(Path page) throws IOException {
    String compiled = compiled();
    assertThat(programs(page))
        .filteredOn(program -> !isWhole(program))
        .allSatisfy(program -> assertThat(compiled).contains(bare(program)));
  }

  @ParameterizedTest
  @CsvSource({"README.md, user and posts, 100", "docs/guide/getting-started.md, nio, nio"})
  void wholePrograms_run(String page, String first, String second, @TempDir Path folder)
      throws Exception {
    List<String> whole = programs(ROOT.resolve(page)).stream().filter(GuideTest::isWhole).toList();
    assertThat(whole).hasSize(1);
    Path file = Files.writeString(folder.resolve("Page.java"), whole.getFirst());
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                file.toString())
            .redirectErrorStream(true)
            .start();
    try (var output = java.inputReader()) {
      assertThat(String.join("\n", output.lines().toList())).contains(first, second);
    } finally {
      java.destroyForcibly().waitFor();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"coming-from-java.md", "migrating.md"})
  void tablesOfWhatToWrite_areCompiled(String page) throws IOException {
    String compiled = compiled();
    List<String> unknown = new ArrayList<>();
    boolean inTable = false;
    for (String line : read(GUIDE.resolve(page)).lines().toList()) {
      inTable = line.startsWith("|") && (inTable || line.contains("Here you write"));
      if (inTable) {
        String here = line.substring(line.lastIndexOf(" | ") + 1);
        Matcher code = CODE.matcher(here);
        while (code.find()) {
          if (!compiled.contains(bare(code.group(1)))) {
            unknown.add(code.group(1));
          }
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  @Test
  void reference_hasEveryPublicType() throws IOException {
    String page = read(GUIDE.resolve("reference.md"));
    assertThat(Reference.entries(ROOT))
        .as("missing in docs/guide/reference.md: run ./blitz doc")
        .hasSizeGreaterThan(150)
        .allMatch(entry -> page.contains("| `" + entry.name() + "` | "));
  }

  @Test
  void listOfExamples_hasEachOfThem() throws IOException {
    String page = read(ROOT.resolve("examples/README.md"));
    Path folder = ROOT.resolve("examples/src/main/java/dev/blitz/examples");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> name.endsWith(".java") && !name.equals("package-info.java"))
          .hasSizeGreaterThan(30)
          .allMatch(name -> page.contains("(src/main/java/dev/blitz/examples/" + name + ")"));
    }
  }

  @Test
  void links_leadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    List<Path> pages =
        new ArrayList<>(
            List.of(
                ROOT.resolve("README.md"),
                ROOT.resolve("CONTRIBUTING.md"),
                ROOT.resolve("CHANGELOG.md"),
                ROOT.resolve("examples/README.md")));
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
    }
    for (Path page : pages) {
      Matcher link =
          LINK.matcher(read(page).replaceAll("(?s)```.*?```", "").replaceAll("`[^`]*`", ""));
      while (link.find()) {
        String target = link.group(1);
        Path file = target.isEmpty() ? page : page.resolveSibling(target).normalize();
        if (target.startsWith("http") || target.startsWith("mailto:")) {
          continue;
        }
        if (!Files.exists(file) || !hasAnchor(file, link.group(2))) {
          broken.add(ROOT.relativize(page) + " -> " + link.group());
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  private static boolean hasAnchor(Path file, @org.jspecify.annotations.Nullable String anchor) {
    if (anchor == null || !file.toString().endsWith(".md")) {
      return true;
    }
    return read(file)
        .lines()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^#+ +", "").toLowerCase(java.util.Locale.ROOT))
        .map(title -> title.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .anyMatch(title -> anchor.equals("#" + title));
  }
}
