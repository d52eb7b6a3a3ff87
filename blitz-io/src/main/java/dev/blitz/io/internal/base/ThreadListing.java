package dev.blitz.io.internal.base;

import static java.lang.classfile.ClassFile.ACC_FINAL;
import static java.lang.classfile.ClassFile.ACC_PRIVATE;
import static java.lang.classfile.ClassFile.ACC_PUBLIC;
import static java.lang.classfile.ClassFile.ACC_STATIC;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How the JDK's thread dumps find the threads of a runtime.
 *
 * <p>The JDK keeps each virtual thread in one concurrent map from its start to its end: 32 bytes,
 * and a good part of the time that starting and ending one takes. It need not, if the thread is
 * started in a <i>container</i> that can list its threads; a runtime can, since it knows its tasks.
 * Dumps then show the tasks of each runtime under its name.
 *
 * <p>The class of containers is internal to {@code java.base}, so the one subclass that is needed
 * is made here, in the package that the JVM was told to open.
 */
/* Implementation notes
 *
 * The class, as it would read in Java:
 *
 *   final class BlitzThreads extends jdk.internal.vm.ThreadContainer {
 *     private final String name;
 *     private final Supplier threads;
 *     private BlitzThreads(String name, Supplier threads) { super(true); this.name = name; this.threads = threads; }
 *     public String name() { return name; }
 *     public Stream threads() { return (Stream) threads.get(); }
 *     static Object of(String name, Supplier threads) {
 *       BlitzThreads made = new BlitzThreads(name, threads);
 *       ThreadContainers.registerContainer(made); // weakly: it goes when the runtime and its threads have gone
 *       return made;
 *     }
 *   }
 *
 * It knows no class of ours, so one is enough for all class loaders that have us.
 */
record ThreadListing(MethodHandle maker, MethodHandle starter) {
  private static final String NAME = "java.lang.BlitzThreads";
  private static final ClassDesc SELF = ClassDesc.of(NAME);
  private static final ClassDesc CONTAINER = ClassDesc.of("jdk.internal.vm.ThreadContainer");
  private static final ClassDesc CONTAINERS = ClassDesc.of("jdk.internal.vm.ThreadContainers");
  private static final ClassDesc SUPPLIER = ClassDesc.of(Supplier.class.getName());
  private static final ClassDesc STREAM = ClassDesc.of(Stream.class.getName());
  private static final MethodTypeDesc FIELDS = MethodTypeDesc.of(CD_void, CD_String, SUPPLIER);

  /**
   * Two handles: {@code maker}, {@code (String, Supplier<Stream<Thread>>) -> Object}, makes a
   * container; {@code starter}, {@code (Thread, Object) -> void}, starts a virtual thread in one. A
   * record, so that the compiler trusts them.
   *
   * @return null if this JDK is built differently: its own map finds the threads then
   */
  static @Nullable ThreadListing open(MethodHandles.Lookup inVirtual) {
    try {
      return new ThreadListing(
          inVirtual.findStatic(
              subclass(inVirtual),
              "of",
              MethodType.methodType(Object.class, String.class, Supplier.class)),
          inVirtual
              .findVirtual(
                  inVirtual.lookupClass(),
                  "start",
                  MethodType.methodType(
                      void.class, Class.forName("jdk.internal.vm.ThreadContainer")))
              .asType(MethodType.methodType(void.class, Thread.class, Object.class)));
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      FailureLog.tryLog(
          System.Logger.Level.DEBUG, "direct tasks go into the JDK's own map of threads", e);
      return null;
    }
  }

  private static synchronized Class<?> subclass(MethodHandles.Lookup inLang)
      throws ReflectiveOperationException {
    try {
      return Class.forName(NAME, true, null);
    } catch (ClassNotFoundException first) {
      return inLang.defineClass(bytes());
    }
  }

  private static byte[] bytes() {
    return ClassFile.of()
        .build(
            SELF,
            type ->
                type.withFlags(ACC_FINAL)
                    .withSuperclass(CONTAINER)
                    .withField("name", CD_String, ACC_PRIVATE | ACC_FINAL)
                    .withField("threads", SUPPLIER, ACC_PRIVATE | ACC_FINAL)
                    .withMethodBody(
                        INIT_NAME,
                        FIELDS,
                        ACC_PRIVATE,
                        code ->
                            code.aload(0)
                                .iconst_1()
                                .invokespecial(
                                    CONTAINER, INIT_NAME, MethodTypeDesc.of(CD_void, CD_boolean))
                                .aload(0)
                                .aload(1)
                                .putfield(SELF, "name", CD_String)
                                .aload(0)
                                .aload(2)
                                .putfield(SELF, "threads", SUPPLIER)
                                .return_())
                    .withMethodBody(
                        "name",
                        MethodTypeDesc.of(CD_String),
                        ACC_PUBLIC,
                        code -> code.aload(0).getfield(SELF, "name", CD_String).areturn())
                    .withMethodBody(
                        "threads",
                        MethodTypeDesc.of(STREAM),
                        ACC_PUBLIC,
                        code ->
                            code.aload(0)
                                .getfield(SELF, "threads", SUPPLIER)
                                .invokeinterface(SUPPLIER, "get", MethodTypeDesc.of(CD_Object))
                                .checkcast(STREAM)
                                .areturn())
                    .withMethodBody(
                        "of",
                        MethodTypeDesc.of(CD_Object, CD_String, SUPPLIER),
                        ACC_STATIC,
                        code ->
                            code.new_(SELF)
                                .dup()
                                .aload(0)
                                .aload(1)
                                .invokespecial(SELF, INIT_NAME, FIELDS)
                                .dup()
                                .invokestatic(
                                    CONTAINERS,
                                    "registerContainer",
                                    MethodTypeDesc.of(CD_Object, CONTAINER))
                                .pop()
                                .areturn()));
  }
}
