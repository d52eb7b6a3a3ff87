package dev.blitz.parallel.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.parallel.Parallel;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whoever adds a class with an initialiser adds it to the list, or a full stack may break it. */
class FirstUseListTest {
  private static final String PACKAGE = "dev/blitz/parallel/";

  private static List<String> withInitialiser() throws IOException, URISyntaxException {
    Path root = Path.of(Parallel.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (file.toString().endsWith(".class") && !file.endsWith("module-info.class")) {
          ClassModel model = ClassFile.of().parse(file);
          if (model.methods().stream().anyMatch(m -> m.methodName().equalsString("<clinit>"))) {
            String name = model.thisClass().asInternalName();
            names.add(name.substring(PACKAGE.length()).replace('/', '.'));
          }
        }
      }
    }
    return names;
  }

  @Test
  void classes_withAnInitialiser_areInitialisedWhereThereIsRoom()
      throws IOException, URISyntaxException {
    List<String> listed = new ArrayList<>(FirstUse.coreClasses().lines().toList());
    listed.addAll(FirstUse.dataClasses().lines().toList());
    assertThat(withInitialiser()).containsExactlyInAnyOrderElementsOf(listed);
  }

  /** Those that a program names have none: nobody could come before it. */
  @Test
  void classes_thatProgramsCall_haveNoInitialiser() throws IOException, URISyntaxException {
    assertThat(withInitialiser())
        .filteredOn(name -> !name.startsWith("internal.") && !name.contains("$"))
        .containsExactly("LoopOptions");
  }
}
