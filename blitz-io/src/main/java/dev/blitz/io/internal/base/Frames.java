package dev.blitz.io.internal.base;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tells the user's lines in a stack from the JDK's and ours. */
public final class Frames {
  private static final String OURS = "dev.blitz.";

  private static final String[] NOT_THE_USERS = {
    "java.", "javax.", "jdk.", "sun.", "com.sun.", OURS,
  };

  /** What every task passes on its way to the user's code. */
  private static final String[] PLUMBING = {
    OURS + "io.internal.", OURS + "io.future.", OURS + "io.task.",
  };

  private Frames() {}

  private static final Set<String> RUNTIME = Set.of(OURS + "io.Blitz", OURS + "io.BlitzRuntime");

  /** The stack without our frames, as far as anything else is in it. */
  public static StackTraceElement[] withoutOurs(StackTraceElement[] stack) {
    StackTraceElement[] others =
        Arrays.stream(stack)
            .filter(frame -> !isPlumbing(frame.getClassName()))
            .toArray(StackTraceElement[]::new);
    return others.length == 0 ? stack : others;
  }

  /** Where the user's code is: its innermost frame; null if there is none. */
  public static @Nullable StackTraceElement ofUser(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (isUsers(frame.getClassName())) {
        return frame;
      }
    }
    return null;
  }

  /** The stack from the user's innermost frame on; all of it if there is none. */
  public static StackTraceElement[] fromUser(StackTraceElement[] stack) {
    for (int i = 0; i < stack.length; i++) {
      if (isUsers(stack[i].getClassName())) {
        return Arrays.copyOfRange(stack, i, stack.length);
      }
    }
    return stack;
  }

  /** The innermost frame of the user's in a walk that begins with ours, or the outermost of all. */
  public static String firstOfUser(Stream<StackWalker.StackFrame> walk) {
    String last = "";
    for (Iterator<StackWalker.StackFrame> i = walk.iterator(); i.hasNext(); ) {
      StackWalker.StackFrame frame = i.next();
      last = frame.toString();
      if (isUsers(frame.getClassName())) {
        return last;
      }
    }
    return last;
  }

  private static boolean isUsers(String className) {
    return !startsWithAny(className, NOT_THE_USERS);
  }

  private static boolean isPlumbing(String className) {
    return startsWithAny(className, PLUMBING) || RUNTIME.contains(className);
  }

  private static boolean startsWithAny(String text, String[] prefixes) {
    for (String prefix : prefixes) {
      if (text.startsWith(prefix)) {
        return true;
      }
    }
    return false;
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
