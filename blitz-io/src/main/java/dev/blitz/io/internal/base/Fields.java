package dev.blitz.io.internal.base;

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
    return of(own, own.lookupClass(), name, type);
  }

  /** The handle of a field of {@code owner}, which {@code lookup} may see. */
  public static VarHandle of(
      MethodHandles.Lookup lookup, Class<?> owner, String name, Class<?> type) {
    try {
      return lookup.findVarHandle(owner, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
