package dev.blitz.io.process;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Finds the file of a program before it is started: what is wrong with it is then said in the same
 * words however it is started.
 */
final class ProgramLookup {
  private ProgramLookup() {}

  /**
   * The file to execute.
   *
   * @param path the variable PATH
   * @throws NoSuchFileException if there is no such program, or no such directory
   * @throws NotDirectoryException if the directory is something else
   * @throws AccessDeniedException if it may not be executed
   */
  static Path find(CommandSpec spec, @Nullable String path) throws IOException {
    Path directory = spec.directory();
    if (directory != null && !Files.isDirectory(directory)) {
      if (Files.exists(directory)) {
        throw new NotDirectoryException(directory.toString());
      }
      throw new NoSuchFileException(
          directory.toString(), null, "no such directory to run '" + spec.program() + "' in");
    }
    String program = spec.program();
    try {
      return program.indexOf('/') >= 0 ? given(program, directory) : search(program, path);
    } catch (InvalidPathException e) {
      throw new NoSuchFileException(program, null, "not a name of a program: " + e.getMessage());
    }
  }

  private static Path given(String program, @Nullable Path directory) throws IOException {
    Path base = directory == null ? Path.of("") : directory;
    Path file = base.resolve(program).toAbsolutePath();
    if (!Files.exists(file)) {
      throw new NoSuchFileException(program, null, "no such program");
    }
    if (!isProgram(file)) {
      throw new AccessDeniedException(program, null, "not a program that may be executed");
    }
    return file;
  }

  private static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }

  private static Path search(String program, @Nullable String path) throws IOException {
    boolean there = false;
    String[] places = (path == null ? "/usr/bin:/bin" : path).split(":", -1);
    for (String place : program.isEmpty() ? new String[0] : places) {
      Path file = Path.of(place.isEmpty() ? "." : place, program).toAbsolutePath();
      if (isProgram(file)) {
        return file;
      }
      there |= Files.isRegularFile(file);
    }
    if (there) {
      throw new AccessDeniedException(program, null, "not a program that may be executed");
    }
    throw new NoSuchFileException(program, null, "no such program in PATH");
  }
}
