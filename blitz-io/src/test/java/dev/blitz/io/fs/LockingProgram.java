package dev.blitz.io.fs;

import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Another process, which tells whether it could lock a file. */
final class LockingProgram {
  private LockingProgram() {}

  public static void main(String[] args) throws Exception {
    try (var channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE);
        var lock = channel.tryLock(0, 5, false)) {
      System.out.println(lock == null ? "taken" : "free");
    }
  }
}
