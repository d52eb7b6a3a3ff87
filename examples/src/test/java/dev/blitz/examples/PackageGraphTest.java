package dev.blitz.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The picture of blitz-io's packages in the overview is drawn from the classes. If it is out of
 * date, the failure shows what belongs there.
 */
class PackageGraphTest {
  private static final Path OVERVIEW = Path.of("..", "docs", "design", "overview.md");
  private static final String ROOT = "dev.blitz.io";
  private static final String BEGIN = "```mermaid\ngraph TD\n";

  @Test
  void theOverview_showsThePackagesAsTheyAre() throws IOException {
    String page = Files.readString(OVERVIEW);
    int from = page.indexOf(BEGIN);
    assertThat(from).as("a picture in " + OVERVIEW).isNotNegative();
    String shown = page.substring(from, page.indexOf("```\n", from + BEGIN.length()));
    assertThat(shown).isEqualTo(drawn());
  }

  /**
   * An arrow from a package to each one it knows directly, if it does not know it through others.
   */
  private static String drawn() {
    Map<String, Set<String>> known = knownPackages();
    var text = new StringBuilder(BEGIN);
    known.forEach((from, all) -> {
      for (String to : all) {
        if (all.stream().noneMatch(via -> !via.equals(to) && reaches(known, via, to, from))) {
          text.append("  ").append(node(from)).append(" --> ").append(node(to)).append('\n');
        }
      }
    });
    return text.toString();
  }

  private static Map<String, Set<String>> knownPackages() {
    Map<String, Set<String>> known = new TreeMap<>();
    var classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);
    for (JavaClass c : classes) {
      for (Dependency d : c.getDirectDependenciesFromSelf()) {
        String from = c.getPackageName();
        String to = d.getTargetClass().getPackageName();
        if (to.startsWith(ROOT) && !to.equals(from) && !ArchitectureTest.isKnot(d)) {
          known.computeIfAbsent(from, k -> new TreeSet<>()).add(to);
        }
      }
    }
    return known;
  }

  private static boolean reaches(
      Map<String, Set<String>> known, String from, String to, String without) {
    List<String> open = new ArrayList<>(List.of(from));
    Set<String> seen = new TreeSet<>(Set.of(without));
    while (!open.isEmpty()) {
      String next = open.removeLast();
      if (next.equals(to)) {
        return true;
      }
      if (seen.add(next)) {
        open.addAll(known.getOrDefault(next, Set.of()));
      }
    }
    return false;
  }

  private static String node(String name) {
    String short_ = name.equals(ROOT) ? "io" : name.substring(ROOT.length() + 1);
    return short_.replace('.', '_') + "[" + short_ + "]";
  }
}
