/** An async I/O runtime: stackless futures, a work-stealing scheduler, timers and native I/O. */
module dev.blitz.io {
  requires static transitive org.jspecify;

  exports dev.blitz.io;
}
