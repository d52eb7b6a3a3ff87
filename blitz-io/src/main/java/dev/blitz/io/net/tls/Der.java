package dev.blitz.io.net.tls;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** As much of ASN.1 as the notations of keys need. */
final class Der {
  static final int INTEGER = 0x02;
  static final int OCTETS = 0x04;
  static final int OBJECT_ID = 0x06;
  static final int SEQUENCE = 0x30;

  /** The first optional field of a structure, of a kind that depends on it. */
  static final int FIELD_0 = 0xa0;

  private final byte[] bytes;
  private int position;
  private final int end;

  private Der(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.position = from;
    this.end = end;
  }

  /** Reads {@code bytes} from the beginning. */
  static Der of(byte[] bytes) {
    return new Der(bytes, 0, bytes.length);
  }

  /** Whether the next value is of this kind. */
  boolean isNext(int tag) {
    return position < end && (bytes[position] & 0xff) == tag;
  }

  /** The next value, whose kind must be this. */
  Der enter(int tag) {
    if (!isNext(tag)) {
      throw new IllegalArgumentException("no value of kind " + tag + " at byte " + position);
    }
    position++;
    int length = length();
    var content = new Der(bytes, position, position + length);
    position += length;
    return content;
  }

  private int length() {
    int first = next();
    if (first < 0x80) {
      return within(first);
    }
    int digits = first & 0x7f;
    if (digits < 1 || digits > 3) {
      throw new IllegalArgumentException("a length of " + digits + " bytes at byte " + position);
    }
    int length = 0;
    for (int i = 0; i < digits; i++) {
      length = length << 8 | next();
    }
    return within(length);
  }

  private int within(int length) {
    if (length > end - position) {
      throw new IllegalArgumentException("cut off at byte " + end);
    }
    return length;
  }

  private int next() {
    if (position == end) {
      throw new IllegalArgumentException("cut off at byte " + end);
    }
    return bytes[position++] & 0xff;
  }

  /** What is left of this value. */
  byte[] content() {
    return Arrays.copyOfRange(bytes, position, end);
  }

  /** A value of a kind, made of others. */
  static byte[] value(int tag, byte[]... parts) {
    var content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    int length = content.size();
    var value = new ByteArrayOutputStream();
    value.write(tag);
    if (length < 0x80) {
      value.write(length);
    } else if (length < 0x100) {
      value.write(0x81);
      value.write(length);
    } else {
      value.write(0x82);
      value.write(length >> 8);
      value.write(length);
    }
    value.writeBytes(content.toByteArray());
    return value.toByteArray();
  }
}
