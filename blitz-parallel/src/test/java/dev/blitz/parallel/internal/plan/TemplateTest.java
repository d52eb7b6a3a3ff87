package dev.blitz.parallel.internal.plan;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.blitz.testkit.Strict;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every template of the library. */
@Strict
class TemplateTest {
  private static Template<Object> template(String name) throws Throwable {
    Class<?> type = Class.forName("dev.blitz.parallel.internal." + name + "$Loop");
    MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
    var constructor = lookup.findConstructor(type, MethodType.methodType(void.class));
    return new Template<>(lookup, constructor.invoke());
  }

  /** The bytecodes of each method. */
  private static Map<String, Integer> sizes(byte[] type) {
    return ClassFile.of().parse(type).methods().stream()
        .collect(
            Collectors.toMap(
                m -> m.methodName().stringValue() + m.methodType().stringValue(),
                m -> ((CodeAttribute) m.code().orElseThrow()).codeLength()));
  }

  private static boolean isCalledThroughTheTemplate(Method method) {
    return !Modifier.isStatic(method.getModifiers()) && !Modifier.isPrivate(method.getModifiers());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "IndexCode",
        "LongIndexCode",
        "SearchCode",
        "sort.StableCode",
        "sort.UnstableCode",
        "spin.IntScanCode",
        "spin.LongScanCode",
        "spin.DoubleScanCode"
      })
  void copy_hasLoopsThatAreNotInlined(String name) throws Throwable {
    Template<Object> template = template(name);
    Class<?> copy = requireNonNull(template.copy()).getClass();
    assertThat(copy.isHidden()).isTrue();

    int limit =
        Integer.parseInt(
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("FreqInlineSize")
                .getValue());
    Map<String, Integer> sizes = sizes(template.bytes());
    assertThat(
            Arrays.stream(copy.getDeclaredMethods())
                .filter(TemplateTest::isCalledThroughTheTemplate)
                .map(m ->
                    m.getName()
                        + MethodType.methodType(m.getReturnType(), m.getParameterTypes())
                            .descriptorString()))
        .isNotEmpty()
        .allSatisfy(loop -> assertThat(sizes.get(loop)).isGreaterThan(limit));
  }
}
