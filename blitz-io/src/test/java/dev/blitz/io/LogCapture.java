package dev.blitz.io;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the library logs while this is open; nothing of it reaches the console. */
public final class LogCapture implements AutoCloseable {
  /** Kept: the log manager holds loggers weakly. */
  private final Logger logger = Logger.getLogger("dev.blitz.io");

  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final boolean parent = logger.getUseParentHandlers();

  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          records.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  /** Begins. */
  public LogCapture() {
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
  }

  /** The messages so far. */
  public List<String> messages() {
    return records.stream().map(LogRecord::getMessage).toList();
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(parent);
  }
}
