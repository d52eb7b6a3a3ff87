package dev.blitz.benchmarks.harness;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Results as JSON, one file per group. */
public final class ResultFiles {
  private static final Gson GSON =
      new GsonBuilder()
          .setPrettyPrinting()
          .disableHtmlEscaping()
          .serializeNulls()
          .registerTypeAdapter(double.class, new NumberAdapter())
          .registerTypeAdapter(Double.class, new NumberAdapter())
          .create();

  private ResultFiles() {}

  /**
   * Writes a result to a file, in folders made as needed.
   *
   * @param result what to write
   * @param file where
   * @throws IOException if that fails
   */
  public static void write(GroupResult result, Path file) throws IOException {
    var folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Files.writeString(file, toJson(result));
  }

  /**
   * Writes a result under the name of its group and collector.
   *
   * @param result what to write
   * @param folder where
   * @return the file
   * @throws IOException if that fails
   */
  public static Path writeInto(GroupResult result, Path folder) throws IOException {
    var file = folder.resolve(result.key() + ".json");
    write(result, file);
    return file;
  }

  /**
   * Reads a result.
   *
   * @param file written by this class
   * @return the result
   * @throws IOException if the file cannot be read or is of another format
   */
  public static GroupResult read(Path file) throws IOException {
    try {
      return fromJson(Files.readString(file));
    } catch (JsonParseException e) {
      throw new IOException(file.getFileName() + " is not a benchmark result", e);
    }
  }

  /** All results of a folder, by file name. */
  static List<GroupResult> readAll(Path folder) throws IOException {
    List<GroupResult> results = new ArrayList<>();
    try (var files = Files.newDirectoryStream(folder, "*.json")) {
      for (var file : files) {
        results.add(read(file));
      }
    }
    return results;
  }

  static String toJson(GroupResult result) {
    return GSON.toJson(result) + "\n";
  }

  static GroupResult fromJson(String json) {
    @Nullable GroupResult result = GSON.fromJson(json, GroupResult.class);
    if (result == null || result.schema() != GroupResult.SCHEMA) {
      throw new JsonParseException("expected schema " + GroupResult.SCHEMA);
    }
    return result;
  }

  /** JSON has no NaN: what was not measured is null. Six digits are far below the noise. */
  private static final class NumberAdapter extends TypeAdapter<Double> {
    private static final MathContext DIGITS = new MathContext(6);

    @Override
    public void write(JsonWriter out, Double value) throws IOException {
      if (value.isNaN()) {
        out.nullValue();
      } else {
        out.value(new BigDecimal(value).round(DIGITS).doubleValue());
      }
    }

    @Override
    public Double read(JsonReader in) throws IOException {
      if (in.peek() == JsonToken.NULL) {
        in.nextNull();
        return Double.NaN;
      }
      return in.nextDouble();
    }
  }
}
