package dev.blitz.io.internal.file;

import dev.blitz.io.internal.file.FileStatus.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;

/** What the JDK knows of a file. */
final class Statuses {
  private static final int PERMISSIONS = 0xFFF;
  private static final LinkOption[] FOLLOW = {};
  private static final LinkOption[] NO_FOLLOW = {LinkOption.NOFOLLOW_LINKS};

  private Statuses() {}

  static FileStatus read(Path path, boolean followLinks) throws IOException {
    LinkOption[] options = followLinks ? FOLLOW : NO_FOLLOW;
    BasicFileAttributes basic = Files.readAttributes(path, BasicFileAttributes.class, options);
    if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return of(basic, -1, -1, -1, 1, 0, 0);
    }
    Map<String, Object> unix =
        Files.readAttributes(path, "unix:mode,uid,gid,nlink,dev,ino", options);
    return of(
        basic,
        number(unix, "mode").intValue() & PERMISSIONS,
        number(unix, "uid").intValue(),
        number(unix, "gid").intValue(),
        number(unix, "nlink").intValue(),
        number(unix, "dev").longValue(),
        number(unix, "ino").longValue());
  }

  private static Number number(Map<String, Object> attributes, String name) throws IOException {
    if (attributes.get(name) instanceof Number number) {
      return number;
    }
    throw new IOException("the file system does not tell " + name);
  }

  private static FileStatus of(
      BasicFileAttributes basic, int mode, int owner, int group, int links, long dev, long ino) {
    return new FileStatus(
        basic.isRegularFile()
            ? Kind.FILE
            : basic.isDirectory()
                ? Kind.DIRECTORY
                : basic.isSymbolicLink() ? Kind.LINK : Kind.OTHER,
        basic.size(),
        mode,
        owner,
        group,
        links,
        dev,
        ino,
        basic.lastModifiedTime().toInstant(),
        basic.lastAccessTime().toInstant(),
        basic.creationTime().toInstant());
  }
}
