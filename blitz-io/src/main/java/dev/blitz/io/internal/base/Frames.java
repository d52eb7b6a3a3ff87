package dev.blitz.io.internal.base;

import org.jspecify.annotations.Nullable;

/** Tells the user's lines in a stack from the JDK's and ours. */
public final class Frames {
  private static final String OURS = "dev.blitz.";

  private static final String[] NOT_THE_USERS = {
    "java.", "javax.", "jdk.", "sun.", "com.sun.", OURS,
  };

  private Frames() {}

  /** Where the user's code is: its innermost frame; null if there is none. */
  public static @Nullable StackTraceElement ofUser(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (isUsers(frame.getClassName())) {
        return frame;
      }
    }
    return null;
  }

  private static boolean isUsers(String className) {
    for (String prefix : NOT_THE_USERS) {
      if (className.startsWith(prefix)) {
        return false;
      }
    }
    return true;
  }

  /** As {@link #ofUser}, else the innermost frame, as " at ..."; empty for an empty stack. */
  public static String at(StackTraceElement[] stack) {
    StackTraceElement users = ofUser(stack);
    if (users != null) {
      return " at " + users;
    }
    return stack.length == 0 ? "" : " at " + stack[0];
  }

  /** The whole stack, a line for each frame. */
  public static void append(StringBuilder text, StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      text.append("\n    at ").append(frame);
    }
  }

  /**
   * Whether the stack is inside an initialiser of ours, further in than any code of the user's: in
   * a new JVM, on a busy machine, that may take long.
   */
  public static boolean isOwnInitialiser(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (isUsers(frame.getClassName())) {
        return false;
      }
      if (frame.getMethodName().equals("<clinit>") && frame.getClassName().startsWith(OURS)) {
        return true;
      }
    }
    return false;
  }
}
