/** An async I/O runtime: stackless futures, a work-stealing scheduler, timers and native I/O. */
@SuppressWarnings("module") // blitz-test is built later
module dev.blitz.io {
  requires static transitive org.jspecify;
  requires static jdk.unsupported; // signals; without it there are none

  exports dev.blitz.io;
  exports dev.blitz.io.bytes;
  exports dev.blitz.io.bytes.codec;
  exports dev.blitz.io.channel;
  exports dev.blitz.io.descriptor;
  exports dev.blitz.io.fs;
  exports dev.blitz.io.future;
  exports dev.blitz.io.net;
  exports dev.blitz.io.net.tls;
  exports dev.blitz.io.observe;
  exports dev.blitz.io.policy;
  exports dev.blitz.io.process;
  exports dev.blitz.io.shutdown;
  exports dev.blitz.io.signal;
  exports dev.blitz.io.stream;
  exports dev.blitz.io.sync;
  exports dev.blitz.io.task;
  exports dev.blitz.io.time;
  exports dev.blitz.io.internal.clock to
      dev.blitz.test;
}
