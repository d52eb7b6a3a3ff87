package dev.blitz.io.internal.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Numbers and layouts of {@code <sys/inotify.h>}. */
final class InotifyAbi {
  private InotifyAbi() {}

  private static final int MODIFY = 0x2;
  private static final int ATTRIB = 0x4;
  private static final int MOVED_FROM = 0x40;
  private static final int MOVED_TO = 0x80;
  private static final int CREATE = 0x100;
  private static final int DELETE = 0x200;
  private static final int Q_OVERFLOW = 0x4000;
  private static final int IGNORED = 0x8000;
  private static final int ONLYDIR = 0x1000000;

  /** What is watched for. */
  static final int CHANGES = MODIFY | ATTRIB | MOVED_FROM | MOVED_TO | CREATE | DELETE | ONLYDIR;

  private static final int MASK = 4;
  private static final int LENGTH = 12;
  private static final int NAME = 16;

  /** Enough for any event, which has a name of up to 255 bytes. */
  static final int LEAST_BUFFER = 4096;

  /**
   * What a read has brought.
   *
   * @param changes in order
   * @param ended whether there will be no more: the directory is gone
   */
  record Events(List<DirectoryChanges.Change> changes, boolean ended) {}

  /** Whole events. */
  static Events parse(ByteBuffer bytes, Path directory) {
    ByteBuffer from = bytes.order(ByteOrder.nativeOrder());
    List<DirectoryChanges.Change> changes = new ArrayList<>();
    boolean ended = false;
    while (from.remaining() >= NAME) {
      int at = from.position();
      int mask = from.getInt(at + MASK);
      int length = from.getInt(at + LENGTH);
      DirectoryChanges.Kind kind = kind(mask);
      if (kind == DirectoryChanges.Kind.LOST) {
        changes.add(new DirectoryChanges.Change(kind, null));
      } else if (kind != null && length > 0) {
        String name = name(from, at + NAME, length);
        changes.add(
            name == null
                ? new DirectoryChanges.Change(DirectoryChanges.Kind.LOST, null)
                : new DirectoryChanges.Change(kind, directory.resolve(name)));
      }
      ended |= (mask & IGNORED) != 0;
      from.position(at + NAME + length);
    }
    return new Events(changes, ended);
  }

  private static DirectoryChanges.@Nullable Kind kind(int mask) {
    if ((mask & Q_OVERFLOW) != 0) {
      return DirectoryChanges.Kind.LOST;
    }
    if ((mask & (CREATE | MOVED_TO)) != 0) {
      return DirectoryChanges.Kind.CREATED;
    }
    if ((mask & (DELETE | MOVED_FROM)) != 0) {
      return DirectoryChanges.Kind.DELETED;
    }
    return (mask & (MODIFY | ATTRIB)) != 0 ? DirectoryChanges.Kind.MODIFIED : null;
  }

  /**
   * Padded with zeros. Null if it is no text in the system's encoding: no path can be made of it,
   * and whoever looks into the directory finds it.
   */
  private static @Nullable String name(ByteBuffer bytes, int at, int length) {
    byte[] name = new byte[length];
    bytes.get(at, name);
    int end = 0;
    while (end < length && name[end] != 0) {
      end++;
    }
    String text = new String(name, 0, end, NAMES);
    byte[] again = text.getBytes(NAMES);
    return Arrays.equals(again, 0, again.length, name, 0, end) ? text : null;
  }

  private static final Charset NAMES =
      Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"), StandardCharsets.UTF_8);
}
