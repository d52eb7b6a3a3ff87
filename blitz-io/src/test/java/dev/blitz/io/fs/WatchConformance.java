package dev.blitz.io.fs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.fs.FileChange.Kind;
import dev.blitz.io.stream.IoSource;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Directories that are watched. */
abstract class WatchConformance extends FileConformance {
  WatchConformance(String backend) {
    super(backend);
  }

  private IoSource<FileChange> watch(Path directory) throws Exception {
    return await(() -> FileTree.watch(directory));
  }

  /** Up to and with that one. */
  private static List<FileChange> until(IoSource<FileChange> changes, FileChange last) {
    List<FileChange> all = new ArrayList<>();
    for (FileChange change : changes) {
      if (change.kind() != Kind.MODIFIED) {
        all.add(change);
      }
      if (change.equals(last)) {
        return all;
      }
    }
    throw new AssertionError("it ended after " + all);
  }

  @Test
  void changes_comeInOrder() throws Exception {
    Path before = write("before", "x");
    Path a = dir.resolve("a");
    Path b = dir.resolve("b");
    Path odd = dir.resolve("s p\u00e4ce");
    try (IoSource<FileChange> changes = watch(dir)) {
      Files.createFile(a);
      Files.move(a, b);
      Files.delete(b);
      Files.createDirectory(odd);
      Files.writeString(before, "other");
      Files.delete(before);
      assertThat(until(changes, new FileChange(Kind.DELETED, before)))
          .containsExactly(
              new FileChange(Kind.CREATED, a),
              new FileChange(Kind.DELETED, a),
              new FileChange(Kind.CREATED, b),
              new FileChange(Kind.DELETED, b),
              new FileChange(Kind.CREATED, odd),
              new FileChange(Kind.DELETED, before));
      Files.writeString(a, "1");
      until(changes, new FileChange(Kind.MODIFIED, a));
    }
  }

  @Test
  void droppedWaits_loseNoChange() throws Exception {
    try (IoSource<FileChange> changes = watch(dir)) {
      for (int i = 0; i < 20; i++) {
        Path path = dir.resolve("f" + i);
        var bell = new Bell();
        var next = changes.next();
        assertThat(next.poll(bell.context())).isNull();
        Files.createFile(path);
        if (i % 2 == 0) {
          bell.awaitAfter(0);
        }
        next.drop();
        until(changes, new FileChange(Kind.CREATED, path));
      }
    }
  }

  @Test
  void closedInTheMiddle_theWaitEnds() throws Exception {
    IoSource<FileChange> changes = watch(dir);
    var bell = new Bell();
    var next = changes.next();
    assertThat(next.poll(bell.context())).isNull();
    changes.close();
    bell.awaitAfter(0);
    assertThat(next.poll(bell.context())).isEmpty();
    assertThat(changes.hasEnded()).isTrue();
    changes.close();
  }

  @Test
  void aDirectoryThatIsDeleted_endsTheChanges() throws Exception {
    Path watched = Files.createDirectory(dir.resolve("watched"));
    try (IoSource<FileChange> changes = watch(watched)) {
      Files.delete(watched);
      for (FileChange change : changes) {
        throw new AssertionError(change.toString());
      }
      assertThat(changes.hasEnded()).isTrue();
    }
  }

  @Test
  void aDirectoryThatIsDeletedWithItsFile_endsAfterThat() throws Exception {
    Path watched = Files.createDirectory(dir.resolve("watched"));
    Path file = Files.createFile(watched.resolve("f"));
    try (IoSource<FileChange> changes = watch(watched)) {
      Files.delete(file);
      Files.delete(watched);
      until(changes, new FileChange(Kind.DELETED, file));
      for (FileChange change : changes) {
        throw new AssertionError(change.toString());
      }
      assertThat(changes.hasEnded()).isTrue();
    }
  }

  @Test
  void manyWatches_areToldOfTheirOwnChanges() throws Exception {
    List<IoSource<FileChange>> all = new ArrayList<>();
    try {
      for (int i = 0; i < 30; i++) {
        all.add(watch(Files.createDirectory(dir.resolve("d" + i))));
      }
      for (int i = 0; i < 30; i++) {
        Path path = Files.createFile(dir.resolve("d" + i).resolve("f"));
        assertThat(until(all.get(i), new FileChange(Kind.CREATED, path))).hasSize(1);
      }
    } finally {
      all.forEach(IoSource::close);
    }
  }

  /** Nobody reads: no more than the system keeps, and the loss is told. */
  @Test
  @OnceIsEnough
  void whatIsTooMuch_isToldAsLost() throws Exception {
    try (IoSource<FileChange> changes = watch(dir)) {
      for (int i = 0; i < 10_000; i++) {
        Path path = dir.resolve("f" + i);
        Files.createFile(path);
        Files.delete(path);
      }
      boolean lost = false;
      for (FileChange change : changes) {
        lost = change.kind() == Kind.LOST;
        if (lost) {
          assertThat(change.path()).isEqualTo(dir);
          break;
        }
      }
      assertThat(lost).isTrue();
    }
  }

  @Test
  void whatIsNoDirectory_isRefused() throws Exception {
    Path file = write("f", "x");
    Path none = dir.resolve("none");
    for (Path path : List.of(file, none)) {
      @Nullable Throwable failure = failureOf(() -> await(() -> FileTree.watch(path)));
      assertThat(failure).isInstanceOf(IOException.class).hasMessageContaining(path.toString());
    }
  }

  @Test
  void whatIsLeftOpen_isClosedWithTheRuntime() throws Exception {
    IoSource<FileChange> changes = watch(dir);
    var bell = new Bell();
    var next = changes.next();
    assertThat(next.poll(bell.context())).isNull();
    close();
    Await.until(() -> isOver(changes, bell), "the end");
  }

  private static boolean isOver(IoSource<FileChange> changes, Bell bell) {
    try {
      return changes.pollNext(bell.context()) == null && changes.hasEnded();
    } catch (IOException | RuntimeException e) {
      return true;
    }
  }
}
