package dev.blitz.io.internal.services;

import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.file.FileDriver;
import dev.blitz.io.internal.names.HostNames;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.task.JoinHandle;
import java.util.Map;

/** A runtime as sockets and other operations of the system see it. */
public interface Services {

  /** What the runtime does its I/O with. */
  Driver driver();

  /** Its timers. */
  RuntimeTimers timers();

  /** The host names that it knows and looks up. */
  HostNames names();

  /**
   * Makes a call that starts a process, on a thread that no user's call can keep from it.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the runtime is closed
   */
  <T> JoinHandle<T> startProcess(ThrowingSupplier<? extends T> call);

  /** The same for a call that waits for a pipe, perhaps for ever. */
  <T> JoinHandle<T> waitForPipe(ThrowingSupplier<? extends T> call);

  /** The same for a call that closes one, made also if the runtime is closed before its turn. */
  <T> JoinHandle<T> closePipe(ThrowingSupplier<? extends T> call);

  /**
   * The same for a call that looks for processes and sends them a signal, made also if the runtime
   * is closed before its turn.
   */
  <T> JoinHandle<T> signalProcess(ThrowingSupplier<? extends T> call);

  /** What each task that has begun is doing or waiting for now, by its handle. */
  Map<Object, String> describeTasks();

  /** What opens its files, and does what needs none. */
  FileDriver files();

  /**
   * Makes a call of a TLS handshake, which computes much or checks certificates, on a thread kept
   * for that.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the runtime is closed
   */
  <T> JoinHandle<T> handshake(ThrowingSupplier<? extends T> call);

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
