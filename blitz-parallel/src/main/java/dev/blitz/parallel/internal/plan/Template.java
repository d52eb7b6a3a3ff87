package dev.blitz.parallel.internal.plan;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessFlag;
import org.jspecify.annotations.Nullable;

/**
 * A small class whose code is a loop, and the means to define it again: the JVM keeps one profile
 * per method, so a loop that has seen many lambdas calls each of them through a table, while a copy
 * that sees one class of lambdas has it compiled in.
 *
 * <p>The class must be in the package of the lookup, have a constructor without arguments and no
 * fields, and contain no lambda. This is the one place that defines classes and calls a constructor
 * by handle.
 *
 * @param <L> what the loop is called through
 */
public final class Template<L> {
  /** The JVM compiles a method of more than 325 bytecodes by itself, never into its callers. */
  private static final int TOO_LARGE_TO_INLINE = 326;

  private final MethodHandles.Lookup lookup;
  private final L shared;

  /** Read when the first copy is made; whoever writes, writes the same. */
  private volatile byte @Nullable [] bytes;

  /** Hidden classes cannot be defined here; written once. */
  private volatile boolean refused;

  /**
   * A template.
   *
   * @param lookup of a class in the same package, with full access
   * @param shared an instance, for all lambdas that have no copy
   */
  public Template(MethodHandles.Lookup lookup, L shared) {
    this.lookup = lookup;
    this.shared = shared;
  }

  /**
   * The loop that everybody may use.
   *
   * @return always the same
   */
  public L shared() {
    return shared;
  }

  /**
   * The same loop as a class of its own.
   *
   * @return a new instance of a new class; null where that cannot be had
   */
  @SuppressWarnings("unchecked") // a copy of shared's class has its supertypes
  @Nullable L copy() {
    if (refused) {
      return null;
    }
    try {
      MethodHandles.Lookup copy = lookup.defineHiddenClass(bytes(), true);
      return (L)
          copy.findConstructor(copy.lookupClass(), MethodType.methodType(void.class)).invoke();
    } catch (VirtualMachineError | IOException full) {
      // Perhaps there is room, or a free descriptor to read the class with, another time.
      return null;
    } catch (Throwable t) {
      // A native image: the shared loop does the same, only slower.
      refused = true;
      return null;
    }
  }

  /**
   * Begins a method with bytecodes that do nothing, so many that it is compiled by itself and never
   * into its callers.
   *
   * @param code of the method, empty so far
   */
  public static void makeTooLargeToInline(CodeBuilder code) {
    for (int i = 0; i < TOO_LARGE_TO_INLINE; i++) {
      code.nop();
    }
  }

  /** The class that is defined for each copy. */
  byte[] bytes() throws IOException {
    byte[] known = bytes;
    if (known != null) {
      return known;
    }
    Class<?> type = shared.getClass();
    String file = type.getName().substring(type.getPackageName().length() + 1) + ".class";
    try (InputStream in = type.getResourceAsStream(file)) {
      if (in == null) {
        throw new IOException("no " + file);
      }
      byte[] read = compiledByItself(in.readAllBytes());
      bytes = read;
      return read;
    }
  }

  /**
   * The same class, none of whose loops is compiled into its callers. A caller has seen the shared
   * loop a million times when it meets the copy for the first time. Compiled at that moment it
   * would contain a loop that it takes for rare, and call the lambda for each element for ever.
   */
  private byte[] compiledByItself(byte[] template) {
    // It also knows the classes of a template that the system's class loader does not.
    var resolver =
        ClassHierarchyResolver.defaultResolver()
            .orElse(ClassHierarchyResolver.ofClassLoading(lookup));
    var file = ClassFile.of(ClassHierarchyResolverOption.of(resolver));
    return file.transformClass(
        file.parse(template),
        ClassTransform.transformingMethodBodies(
            Template::isLoop,
            new CodeTransform() {
              @Override
              public void atStart(CodeBuilder code) {
                makeTooLargeToInline(code);
              }

              @Override
              public void accept(CodeBuilder code, CodeElement element) {
                code.with(element);
              }
            }));
  }

  /** What is called through {@code L}; what a loop itself calls may well be inlined into it. */
  private static boolean isLoop(MethodModel method) {
    return !method.flags().has(AccessFlag.STATIC)
        && !method.flags().has(AccessFlag.PRIVATE)
        && !method.methodName().equalsString(ConstantDescs.INIT_NAME);
  }
}
