package dev.blitz.io.net.tls;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A block in the notation of certificates and keys as text (RFC 7468). */
final class Pem {
  private static final Pattern BLOCK =
      Pattern.compile(
          "-----BEGIN (?<label>[^-\\r\\n]+)-----\\s*(?<body>[^-]*(?:-(?!----)[^-]*)*)"
              + "-----END (?<end>[^-\\r\\n]+)-----");

  /** A line such as {@code Proc-Type: 4,ENCRYPTED}, up to the empty line after the last of them. */
  private static final Pattern HEADERS =
      Pattern.compile("^(?<headers>(?:[\\w-]+:[^\\n]*\\n(?:[ \\t][^\\n]*\\n)*)+)\\s*");

  private final String label;
  private final String headers;
  private final byte[] der;

  Pem(String label, String headers, byte[] der) {
    this.label = label;
    this.headers = headers;
    this.der = der;
  }

  /** What it is, such as {@code CERTIFICATE}. */
  String label() {
    return label;
  }

  /** Lines before the content, of old encrypted keys; else empty. */
  String headers() {
    return headers;
  }

  /** The content; not to be changed. */
  byte[] der() {
    return der;
  }

  /**
   * All that a text contains, in its order; what is between them is a comment.
   *
   * @param where the text comes from, for messages
   * @throws IllegalArgumentException if one is damaged
   */
  static List<Pem> parse(String text, String where) {
    List<Pem> found = new ArrayList<>();
    Matcher block = BLOCK.matcher(text);
    int end = 0;
    while (block.find()) {
      String label = block.group("label");
      if (!label.equals(block.group("end"))) {
        throw damaged(where, label, "it ends as " + block.group("end"));
      }
      found.add(block(label, block.group("body"), where));
      end = block.end();
    }
    int open = text.indexOf("-----BEGIN ", end);
    if (open >= 0) {
      throw damaged(where, "a block", "it has no end");
    }
    return found;
  }

  private static Pem block(String label, String body, String where) {
    Matcher lines = HEADERS.matcher(body);
    String headers = lines.find() ? lines.group("headers") : "";
    String content = body.substring(headers.isEmpty() ? 0 : lines.end()).replaceAll("\\s", "");
    try {
      return new Pem(label, headers, Base64.getDecoder().decode(content));
    } catch (IllegalArgumentException e) {
      throw damaged(where, label, e.getMessage());
    }
  }

  private static IllegalArgumentException damaged(
      String where, String label, @org.jspecify.annotations.Nullable String why) {
    return new IllegalArgumentException(where + ": " + label + " is damaged: " + why);
  }

  /** Says nothing of the content: it may be a key. */
  @Override
  public String toString() {
    return "Pem[" + label + ", " + der.length + " bytes]";
  }
}
