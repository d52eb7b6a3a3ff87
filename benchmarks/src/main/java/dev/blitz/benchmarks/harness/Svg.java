package dev.blitz.benchmarks.harness;

import java.util.Locale;

/** A picture as text: needs no fonts to be made, and a change of it can be read. */
final class Svg {
  private static final int BASE_LINE = 4;

  private final StringBuilder body = new StringBuilder();
  private final int width;
  private final int height;

  Svg(int width, int height) {
    this.width = width;
    this.height = height;
  }

  /** Where a text begins, or ends, or what it is centred on. */
  enum Anchor {
    START,
    MIDDLE,
    END
  }

  /** A text, centred on {@code y}. */
  void text(double x, double y, Anchor anchor, String style, String text) {
    body.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>\n",
            x,
            y + BASE_LINE,
            anchor.name().toLowerCase(Locale.ROOT),
            style,
            escaped(text)));
  }

  void rectangle(double x, double y, double wide, double high, String fill) {
    body.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
            x,
            y,
            wide,
            high,
            fill));
  }

  void line(double x1, double y1, double x2, double y2, String stroke, double thickness) {
    body.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"/>\n",
            x1,
            y1,
            x2,
            y2,
            stroke,
            thickness));
  }

  void dot(double x, double y, String fill) {
    body.append(
        String.format(
            Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n", x, y, fill));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  @Override
  public String toString() {
    return """
    <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d">
    <style>
    text { font: 11px sans-serif; fill: #333 }
    .title { font-size: 15px; font-weight: bold; fill: #000 }
    .row { font-weight: bold; fill: #000 }
    .small { font-size: 10px; fill: #666 }
    </style>
    <rect width="%1$d" height="%2$d" fill="#fff"/>
    %3$s</svg>
    """
        .formatted(width, height, body);
  }
}
