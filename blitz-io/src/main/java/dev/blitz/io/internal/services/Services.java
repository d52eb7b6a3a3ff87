package dev.blitz.io.internal.services;

import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.file.FileDriver;
import dev.blitz.io.internal.names.HostNames;
import dev.blitz.io.internal.timer.RuntimeTimers;

/** A runtime as sockets and other operations of the system see it. */
public interface Services {

  /** What the runtime does its I/O with. */
  Driver driver();

  /** Its timers. */
  RuntimeTimers timers();

  /** The host names that it knows and looks up. */
  HostNames names();

  /** What opens its files, and does what needs none. */
  FileDriver files();

  /**
   * Those of the caller's runtime.
   *
   * @param what asks for them, for the message
   * @throws IllegalStateException for a stranger
   */
  static Services required(String what) {
    return (Services) Current.required(what).api(); // of every runtime it is one
  }
}
