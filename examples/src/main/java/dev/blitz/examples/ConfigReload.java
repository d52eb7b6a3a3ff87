package dev.blitz.examples;

import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.Blitz;
import dev.blitz.io.channel.Watch;
import dev.blitz.io.channel.WatchReceiver;
import dev.blitz.io.fs.AsyncFile;
import dev.blitz.io.fs.FileChange;
import dev.blitz.io.fs.FileChange.Kind;
import dev.blitz.io.fs.FileTree;
import dev.blitz.io.stream.IoSource;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Properties;

/**
 * A configuration that is read again when its file changes. Everybody who uses it sees the newest
 * one; a file with a mistake in it changes nothing.
 *
 * <p>Shows: FileTree.watch, Watch, AsyncFile.replace. Run: {@code ./blitz example ConfigReload}.
 */
public final class ConfigReload {
  private ConfigReload() {}

  record Config(int workers, String greeting) {
    static Config parse(String text) throws IOException {
      var properties = new Properties();
      properties.load(new StringReader(text));
      return new Config(
          Integer.parseInt(properties.getProperty("workers", "1")),
          properties.getProperty("greeting", "hello"));
    }
  }

  /** Changes the file three times; the second change is a mistake. */
  public static void main(String[] args) throws Exception {
    Blitz.run(() -> {
      Path directory = FileTree.createTemporaryDirectory(null, "config").await();
      Path file = directory.resolve("app.properties");
      try (var scope = TaskScope.open();
          var config = Watch.of(new Config(1, "hello"))) {
        var files = FileTree.watch(directory).await(); // before the first look: nothing is missed
        scope.spawn(owning(files), () -> follow(files, file, config));
        write(file, "workers=2");
        var changes = config.subscribe();
        var user = scope.spawn(owning(changes), () -> use(changes));
        config.subscribe().waitFor(c -> c.workers() == 2).await();
        write(file, "workers=many");
        write(file, "workers=3\ngreeting=bye");
        IO.println("used " + user.await());
        scope.cancel();
      } finally {
        FileTree.deleteAll(directory).await();
      }
    });
  }

  /** Reads the file again whenever something has happened to it. */
  private static void follow(IoSource<FileChange> changes, Path file, Watch<Config> config)
      throws IOException {
    for (var change : changes) {
      boolean mayBeOther = change.path().equals(file) || change.kind() == Kind.LOST;
      if (mayBeOther && change.kind() != Kind.DELETED) { // a new one comes soon
        reload(file, config);
      }
    }
  }

  /** Tells those who watch if it has changed. */
  static void reload(Path file, Watch<Config> config) throws IOException {
    try {
      var read = Config.parse(AsyncFile.readText(file).await());
      config.sendIfModified(before -> read);
    } catch (NumberFormatException | NoSuchFileException e) {
      IO.println("kept the old one: " + e.getMessage());
    }
  }

  /** Follows the configuration until it says bye; misses what was old before it was looked at. */
  private static String use(WatchReceiver<Config> changes) {
    for (var config : changes) {
      IO.println(config.workers() + " workers say " + config.greeting());
      if (config.greeting().equals("bye")) {
        return "the last one";
      }
    }
    throw new AssertionError("nobody closes it");
  }

  /** All of the old or all of the new: whoever reads it meanwhile sees no half file. */
  private static void write(Path file, String text) throws IOException {
    AsyncFile.replace(file, text.getBytes(StandardCharsets.UTF_8)).await();
  }
}
