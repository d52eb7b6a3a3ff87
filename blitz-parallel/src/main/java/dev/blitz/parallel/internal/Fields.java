package dev.blitz.parallel.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Handles of fields, for the access modes that the language has no word for. */
public final class Fields {
  private Fields() {}

  /**
   * The handle of a field of the class that looks it up; for a constant of that class.
   *
   * @param own {@code MethodHandles.lookup()}
   */
  public static VarHandle of(MethodHandles.Lookup own, String name, Class<?> type) {
    try {
      return own.findVarHandle(own.lookupClass(), name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
