package dev.blitz.examples;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the layout promises. Each rule is also shown to bite on a class that breaks it. */
class ArchitectureTest {

  /** The one class that may open what the JDK keeps closed. */
  private static final String DEEP_REFLECTION = "dev.blitz.io.internal.base.CarrierAccess";

  private static final String SCHEDULER = "dev.blitz.io.internal.scheduler..";
  private static final String BACKENDS = "dev.blitz.io.internal.driver.backends..";

  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.blitz.io", "dev.blitz.parallel");

  private static final JavaClasses OFFENDERS =
      new ClassFileImporter().importClasses(LayoutOffenders.class.getDeclaredClasses());

  private static final ArchRule INTERNALS_STAY_INSIDE =
      classes()
          .that(not(resideInAPackage("..internal..")).as("are exported"))
          .and()
          .arePublic()
          .should(mentionNoInternalType());

  /** A semicolon ends the name of an array's class. */
  private static final ArchRule ONLY_CALLS_AND_ABI_TOUCH_FFM =
      noClasses()
          .that(not(nameMatching(".*(Calls|Abi)(\\$.*)?")).as("are neither *Calls nor *Abi"))
          .should()
          .dependOnClassesThat(
              are(resideInAPackage("java.lang.foreign"))
                  .and(not(nameMatching(".*\\.(MemorySegment|Arena)(\\$.*|;)?")))
                  .as("bind native code (java.lang.foreign but for segments and arenas)"))
          .allowEmptyShould(true);

  private static final ArchRule ONE_CLASS_REFLECTS_DEEPLY =
      noClasses()
          .that(not(nameMatching(Pattern.quote(DEEP_REFLECTION) + "(\\$.*)?")))
          .should()
          .callMethodWhere(
              target(nameMatching("setAccessible|trySetAccessible|privateLookupIn"))
                  .as("opens what is closed"));

  /**
   * Who may take time, chance or threads from the JDK instead of being given them. Each outer class
   * with its reason.
   */
  private static final Map<String, String> SOURCES =
      Map.of(
          "dev.blitz.io.internal.base.Machine", "the machine itself: real time and threads",
          "dev.blitz.io.policy.SystemTimeSource", "the clock of a runtime that was given none",
          "dev.blitz.io.internal.current.RuntimeThread", "the kinds of threads that are started",
          "dev.blitz.io.internal.base.CarrierAccess", "virtual threads that our workers carry",
          "dev.blitz.io.internal.direct.HostedBody", "virtual threads that the JDK carries");

  private static final ArchRule TIME_CHANCE_AND_THREADS_ARE_GIVEN =
      noClasses()
          .that(
              resideInAnyPackage("dev.blitz.io..", "dev.blitz.examples")
                  .and(not(isSource()).as("are no source of time, chance or threads")))
          .should()
          .accessTargetWhere(
              describe("time, chance or a new thread of the JDK", ArchitectureTest::isAmbient))
          .because("they are injected, so that a test or a simulation can replace them");

  private static DescribedPredicate<JavaClass> isSource() {
    return describe("a source", c -> SOURCES.containsKey(c.getName().replaceAll("\\$.*", "")));
  }

  private static boolean isAmbient(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    String name = access.getTarget().getName();
    return switch (owner.getName()) {
      case "java.lang.System" -> name.equals("nanoTime") || name.equals("currentTimeMillis");
      case "java.lang.Math" -> name.equals("random");
      case "java.time.Instant", "java.time.Clock" -> name.matches("now|system.*");
      case "java.util.concurrent.ThreadLocalRandom", "java.security.SecureRandom" -> true;
      case "java.util.Random", "java.util.SplittableRandom" ->
          access.getTarget() instanceof AccessTarget.ConstructorCallTarget made
              && made.getRawParameterTypes().isEmpty();
      case "java.lang.Thread" ->
          name.matches("start|startVirtualThread|ofVirtual|ofPlatform|<init>");
      default -> name.equals("start") && owner.isAssignableTo(Thread.class);
    };
  }

  /** Where two packages need each other: who may know whom, and why. */
  private record Knot(String origin, String target) {
    boolean ties(HasName from, HasName to) {
      return from.getName().matches(origin) && to.getName().matches(target);
    }
  }

  private static final List<Knot> KNOTS =
      List.of(
          // await() is a method of every future: it parks the thread, by a waker, and is no look.
          knot("io.future.ThreadAwait", "io.internal.wait.(AwaitingPlace|LastLook|PlainWaker)"),
          // timeout(...) is a method of every future, and the futures of timers are above futures.
          knot("io.future.(Io|Unchecked)?Future", "io.internal.wait.TimeoutFuture"),
          // A retry has a timer too.
          knot("io.future.Futures", "io.internal.wait.RetryFuture"),
          // Waiting is made of wakers, and a promise has waiters.
          knot("io.future.Promise", "io.internal.wait.(Waiter|WaitFuture)"),
          // Each branch of a wide combinator has a waker.
          knot("io.future.(Join|First)Future", "io.internal.wait.Branch(es)?"),
          // Who holds futures of others drops them, and a drop may throw.
          knot("io.future.\\w+", "io.internal.wait.SafeCalls"),
          // The task API names its types; internal.task is what they are.
          knot(
              "io.internal.task.\\w+",
              "io.task.(JoinHandle|TaskFailedException|SpawnOptions|Spawner)"),
          // What users hand to a pool and get from it: functions, options, values.
          knot(
              "parallel.internal.(\\w+.)?\\w+",
              "parallel.(\\w*(Work|Action|RangeFunction)"
                  + "|LoopOptions|JobFailedException|WorkerStats)"),
          // Parallel is the way into the data API, which takes and uses pools and options.
          knot(
              "parallel.(array|iter|sort).\\w+",
              "parallel.(\\w*Action|Pool|LoopOptions|CancelToken)"));

  private static Knot knot(String origin, String target) {
    return new Knot(pattern(origin), pattern(target));
  }

  private static String pattern(String names) {
    return "dev\\.blitz\\." + names.replaceAll("\\.", "\\\\.") + "(\\$.*)?";
  }

  /** Whether {@code d} belongs to a knot that is allowed. */
  static boolean isKnot(Dependency d) {
    return KNOTS.stream().anyMatch(k -> k.ties(d.getOriginClass(), d.getTargetClass()));
  }

  private static SliceRule withoutCycles() {
    SliceRule rule =
        SlicesRuleDefinition.slices().matching("dev.blitz.(**)").should().beFreeOfCycles();
    for (Knot knot : KNOTS) {
      rule = rule.ignoreDependency(nameMatching(knot.origin), nameMatching(knot.target));
    }
    return rule;
  }

  /** Each package is a slice; nothing but the knots may close a circle. */
  private static final ArchRule PACKAGES_FORM_NO_CYCLE = withoutCycles();

  private static final ArchRule NOBODY_BELOW_KNOWS_THE_RUNTIME =
      noClasses()
          .that()
          .resideInAnyPackage("dev.blitz.io.*..", "dev.blitz.examples.knot..")
          .should()
          .dependOnClassesThat(
              nameMatching("dev\\.blitz\\.io\\.[A-Z].*|.*\\.knot\\.above\\..*")
                  .as("belong to the top layer"));

  /** Users of the runtime reach it by {@code Services}, never by what it is made of. */
  private static final ArchRule ONLY_THE_TOP_PUTS_THE_RUNTIME_TOGETHER =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.blitz.io", SCHEDULER, BACKENDS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(SCHEDULER, BACKENDS);

  private static final JavaClasses KNOT =
      new ClassFileImporter().importPackages("dev.blitz.examples.knot");

  @Test
  void packages_formNoCycle_butForNamedKnots() {
    PACKAGES_FORM_NO_CYCLE.check(HOUSE);
    assertThatThrownBy(() -> PACKAGES_FORM_NO_CYCLE.check(KNOT))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Cycle");
  }

  @Test
  void nothingBelow_knowsTheRuntime() {
    NOBODY_BELOW_KNOWS_THE_RUNTIME.check(HOUSE);
    assertThatThrownBy(() -> NOBODY_BELOW_KNOWS_THE_RUNTIME.check(KNOT))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void onlyTheTop_putsTheRuntimeTogether() {
    ONLY_THE_TOP_PUTS_THE_RUNTIME_TOGETHER.check(HOUSE);
    assertBites(ONLY_THE_TOP_PUTS_THE_RUNTIME_TOGETHER);
  }

  @Test
  void exportedSignatures_neverMentionInternalTypes() {
    INTERNALS_STAY_INSIDE.check(HOUSE);
    assertBites(INTERNALS_STAY_INSIDE);
  }

  @Test
  void onlyCallsAndAbiClasses_touchForeignFunctions() {
    ONLY_CALLS_AND_ABI_TOUCH_FFM.check(HOUSE);
    assertBites(ONLY_CALLS_AND_ABI_TOUCH_FFM);
  }

  @Test
  void onlyOneClass_usesDeepReflection() {
    ONE_CLASS_REFLECTS_DEEPLY.check(HOUSE);
    assertBites(ONE_CLASS_REFLECTS_DEEPLY);
  }

  @Test
  void timeChanceAndThreads_areGiven() {
    TIME_CHANCE_AND_THREADS_ARE_GIVEN.check(HOUSE);
    for (String offender : List.of("TakesTime", "TakesChance", "StartsThreads")) {
      assertThatThrownBy(() -> TIME_CHANCE_AND_THREADS_ARE_GIVEN.check(OFFENDERS))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(offender);
    }
    assertThat(SOURCES.keySet()).allMatch(HOUSE::contain);
  }

  @Test
  void parallelAndIo_doNotKnowEachOther() {
    noClasses()
        .that()
        .resideInAPackage("dev.blitz.io..")
        .should()
        .dependOnClassesThat(resideInAnyPackage("dev.blitz.parallel.."))
        .check(HOUSE);
    noClasses()
        .that()
        .resideInAPackage("dev.blitz.parallel..")
        .should()
        .dependOnClassesThat(resideInAnyPackage("dev.blitz.io.."))
        .allowEmptyShould(true)
        .check(HOUSE);
  }

  @Test
  void theRules_seeTheClassesTheySpeakOf() {
    assertThat(HOUSE.contain("dev.blitz.io.observe.BackendProbe")).isTrue();
    assertThat(HOUSE.contain("dev.blitz.io.internal.driver.uring.UringCalls")).isTrue();
  }

  private static void assertBites(ArchRule rule) {
    assertThatThrownBy(() -> rule.check(OFFENDERS)).isInstanceOf(AssertionError.class);
  }

  private static ArchCondition<JavaClass> mentionNoInternalType() {
    DescribedPredicate<JavaClass> internal = resideInAPackage("..internal..");
    return new ArchCondition<>("mention no internal type in a public or protected signature") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        List<JavaClass> mentioned = new ArrayList<>(type.getRawInterfaces());
        type.getRawSuperclass().ifPresent(mentioned::add);
        type.getFields().stream()
            .filter(f -> isExported(f.getModifiers()))
            .forEach(f -> mentioned.addAll(f.getAllInvolvedRawTypes()));
        for (JavaCodeUnit unit : type.getCodeUnits()) {
          if (isExported(unit.getModifiers())) {
            mentioned.addAll(unit.getAllInvolvedRawTypes());
          }
        }
        for (JavaClass m : mentioned) {
          if (internal.test(m)) {
            events.add(
                SimpleConditionEvent.violated(
                    type, type.getName() + " exposes " + m.getName() + " in its signature"));
          }
        }
      }
    };
  }

  private static boolean isExported(java.util.Set<JavaModifier> modifiers) {
    return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
        && !modifiers.contains(JavaModifier.SYNTHETIC);
  }
}
