package dev.blitz.parallel.internal.spin;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import dev.blitz.parallel.internal.plan.Template;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.ObjDoubleConsumer;
import java.util.function.ObjIntConsumer;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the class of a loop for one shape: the loop as one would write it by hand, each function in
 * a local variable of its interface's type, the value so far in another.
 *
 * <p>The class knows nothing of the lambdas that it will run; but as it runs those of one plan
 * only, each of its calls has one target, and the JVM compiles them in.
 */
final class Spinner {
  private static final ClassDesc SELF = desc(Spinner.class).nested("Spun");
  private static final ClassDesc CODE = desc(LoopCode.class);
  private static final ClassDesc SEGMENT = desc(Segment.class);
  private static final ClassDesc SOURCE = desc(Source.class);
  private static final ClassDesc CELL = desc(Cell.class);
  private static final ClassDesc MATH = desc(Math.class);
  private static final ClassDesc DOUBLE = desc(Double.class);
  private static final MethodTypeDesc RUN =
      MethodTypeDesc.of(CD_void, SEGMENT, CELL, CD_long, CD_int);

  private static final int SEGMENT_SLOT = 1;
  private static final int CELL_SLOT = 2;
  private static final int FROM_SLOT = 3;
  private static final int COUNT_SLOT = 5;

  /**
   * A strip whose indices have no more bits has a loop of its own. Where the compiler knows that
   * the next indices cannot overflow, as it does in a loop by hand over a constant array, it
   * computes with them as longs and goes through more elements at a time.
   */
  private static final int NARROW_INDEX_BITS = 30;

  /**
   * The same where the index is the element. With fewer bits the compiler also knows of three times
   * the element, or a hundred times, that it does not overflow; with more, longer ranges are so
   * lucky.
   */
  private static final int NARROW_NUMBER_BITS = 24;

  /** With more steps there is one loop: the JVM compiles no method of more than 8,000 bytecodes. */
  private static final int MOST_STEPS_TWICE = 16;

  /**
   * So many sums of longs, none of which waits for another, where the compiler can make no vectors.
   * Sums of ints it parts by itself.
   */
  private static final int LONG_LANES = 4;

  private final Segment shape;
  private final boolean strided;
  private final CodeBuilder code;
  private final int index;
  private final int[] functions;
  private final Place[] others;

  /**
   * Slot of what the index begins with: of the source's own place, so that it is the index of a
   * loop as one would write it. -1: with 0.
   */
  private int base = -1;

  /** Slot of the end of the index. */
  private int limit = COUNT_SLOT;

  /** How far beyond the index the element is. */
  private int lane;

  /**
   * Where a source's data is kept: slots of the array, of what to add to the index (-1: nothing),
   * and of the stride.
   */
  private record Place(Source.Form form, int data, int at, int stride) {}

  private Spinner(Segment shape, CodeBuilder code) {
    this.shape = shape;
    this.strided = shape.isStrided();
    this.code = code;
    this.index = code.allocateLocal(TypeKind.INT);
    this.functions = new int[shape.steps().length];
    this.others = new Place[shape.steps().length];
  }

  /**
   * A loop for segments of this shape.
   *
   * @return null where classes cannot be defined
   */
  static @Nullable LoopCode spin(Segment shape) {
    try {
      byte[] bytes =
          ClassFile.of()
              .build(
                  SELF,
                  type ->
                      type.withSuperclass(CODE)
                          .withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER)
                          .withMethodBody(
                              INIT_NAME,
                              MTD_void,
                              0,
                              code ->
                                  code.aload(0).invokespecial(CODE, INIT_NAME, MTD_void).return_())
                          .withMethodBody("run", RUN, 0, code -> new Spinner(shape, code).emit()));
      MethodHandles.Lookup spun = MethodHandles.lookup().defineHiddenClass(bytes, true);
      return (LoopCode)
          spun.findConstructor(spun.lookupClass(), MethodType.methodType(void.class)).invoke();
    } catch (VirtualMachineError full) {
      return null;
    } catch (Throwable notHere) {
      // A native image: the interpreter does the same, only slower.
      return null;
    }
  }

  private static ClassDesc desc(Class<?> type) {
    return ClassDesc.ofDescriptor(type.descriptorString());
  }

  private void emit() {
    // Its callers' variables would compete with those of the loop for registers.
    Template.makeTooLargeToInline(code);
    Place source = loadSource();
    loadFunctions();
    End end = new End();
    if (base >= 0 && !end.isChunk() && functions.length <= MOST_STEPS_TWICE) {
      int from = base;
      int to = limit;
      Label wide = code.newLabel();
      int bits = source.form() == Source.Form.INT_RANGE ? NARROW_NUMBER_BITS : NARROW_INDEX_BITS;
      code.iload(from).iload(to).ior().loadConstant(bits).iushr().ifne(wide);
      base = low(from, bits);
      limit = low(to, bits);
      loops(source, end);
      code.labelBinding(wide);
      base = from;
      limit = to;
    }
    loops(source, end);
  }

  /** The same number, if it has no more bits: for the JVM's compiler, which does not know it. */
  private int low(int number, int bits) {
    code.iload(number).loadConstant((1 << bits) - 1).iand();
    return store(Kind.INT);
  }

  /** From the first index to the last, and back to the caller. */
  private void loops(Place source, End end) {
    if (base >= 0) {
      code.iload(base).istore(index);
    } else {
      code.iconst_0().istore(index);
    }
    if (end.lanes.length > 0) {
      lanes(source, end);
    }
    if (end.any >= 0) {
      // Until there is a value; the loop after it need not ask.
      loop(source, end, true);
    }
    loop(source, end, false);
    end.finish();
    code.return_();
  }

  /** Several sums at a time, none of which waits for another. */
  private void lanes(Place source, End end) {
    Label test = code.newLabel();
    Label body = code.newLabel();
    int count = end.lanes.length;
    code.iload(limit).iload(COUNT_SLOT).loadConstant(count - 1).iand().isub();
    int whole = store(Kind.INT);
    code.goto_(test).labelBinding(body);
    for (lane = 0; lane < count; lane++) {
      Label next = code.newLabel();
      int value = steps(source, next, shape.steps().length);
      end.add(end.lanes[lane], value);
      code.labelBinding(next);
    }
    lane = 0;
    code.iinc(index, count).labelBinding(test);
    code.iload(index).iload(whole).if_icmplt(body);
    end.addLanes();
  }

  private void loop(Place source, End end, boolean first) {
    Label test = code.newLabel();
    Label body = code.newLabel();
    Label next = code.newLabel();
    Label done = code.newLabel();
    code.goto_(test).labelBinding(body);
    int last = shape.steps().length - 1;
    if (first) {
      end.takeFirst(steps(source, next, last + 1));
    } else if (end.takesTests()) {
      end.takeIfItPasses(steps(source, next, last), last);
    } else {
      end.take(steps(source, next, last + 1));
    }
    code.labelBinding(next).iinc(index, 1).labelBinding(test);
    if (first) {
      code.iload(end.any).ifne(done);
    }
    code.iload(index).iload(limit).if_icmplt(body);
    code.labelBinding(done);
  }

  /**
   * Takes an element through the first steps; returns its slot. What a filter stops goes on at a
   * label.
   */
  private int steps(Place source, Label next, int count) {
    element(source);
    Kind kind = source.form().kind;
    int value = store(kind);
    for (int i = 0; i < count; i++) {
      Op op = shape.steps()[i].op();
      call(i, kind, value);
      if (op.isReject()) {
        code.ifne(next);
      } else if (op.isFilter()) {
        code.ifeq(next);
      } else {
        kind = op.out;
        value = store(kind);
      }
    }
    return value;
  }

  /** Leaves on the stack what the function of a step says of an element. */
  private void call(int step, Kind kind, int value) {
    Op op = shape.steps()[step].op();
    code.aload(functions[step]).loadLocal(kind.type, value);
    if (op.isZip()) {
      element(others[step]);
    }
    code.invokeinterface(desc(op.owner), op.method, op.type());
  }

  private int store(Kind kind) {
    int slot = code.allocateLocal(kind.type);
    code.storeLocal(kind.type, slot);
    return slot;
  }

  private Place loadSource() {
    code.aload(SEGMENT_SLOT).invokevirtual(SEGMENT, "source", MethodTypeDesc.of(SOURCE));
    int source = store(Kind.REF);
    code.aload(source).invokevirtual(SOURCE, "data", MethodTypeDesc.of(CD_Object));
    int data = storeData(shape.source().form());
    code.aload(SEGMENT_SLOT).lload(FROM_SLOT);
    code.invokevirtual(SEGMENT, "at", MethodTypeDesc.of(CD_long, CD_long));
    int at = storeNumber(shape.source().form());
    int stride = -1;
    if (!strided && shape.source().form() != Source.Form.LONG_RANGE) {
      base = at;
      code.iload(base).iload(COUNT_SLOT).iadd();
      limit = store(Kind.INT);
      return new Place(shape.source().form(), data, -1, stride);
    }
    if (strided) {
      code.aload(source).invokevirtual(SOURCE, "stride", MethodTypeDesc.of(CD_long));
      stride = storeNumber(shape.source().form());
    }
    return new Place(shape.source().form(), data, at, stride);
  }

  private void loadFunctions() {
    for (int i = 0; i < functions.length; i++) {
      Step step = shape.steps()[i];
      code.aload(SEGMENT_SLOT).loadConstant(i);
      code.invokevirtual(SEGMENT, "functionOf", MethodTypeDesc.of(CD_Object, CD_int));
      functions[i] = store(desc(step.op().owner));
      Source other = step.other();
      if (other != null) {
        code.aload(SEGMENT_SLOT).loadConstant(i);
        code.invokevirtual(SEGMENT, "otherData", MethodTypeDesc.of(CD_Object, CD_int));
        int data = storeData(other.form());
        code.aload(SEGMENT_SLOT).loadConstant(i).lload(FROM_SLOT);
        code.invokevirtual(SEGMENT, "otherAt", MethodTypeDesc.of(CD_long, CD_int, CD_long));
        int at = storeOffset(other.form());
        int stride = -1;
        if (strided) {
          code.aload(SEGMENT_SLOT).loadConstant(i);
          code.invokevirtual(SEGMENT, "otherStride", MethodTypeDesc.of(CD_long, CD_int));
          stride = storeNumber(other.form());
        }
        others[i] = new Place(other.form(), data, at, stride);
      }
    }
  }

  private int store(ClassDesc type) {
    code.checkcast(type);
    return store(Kind.REF);
  }

  private int storeData(Source.Form form) {
    return switch (form) {
      case LIST -> store(desc(List.class));
      case INT_RANGE, LONG_RANGE -> store(Kind.REF);
      default -> store(desc(form.kind.array));
    };
  }

  /** Indices of arrays are ints; so are the numbers of a range of ints. */
  private int storeNumber(Source.Form form) {
    if (form == Source.Form.LONG_RANGE) {
      return store(Kind.LONG);
    }
    code.l2i();
    return store(Kind.INT);
  }

  /** What to add to the index to be there. */
  private int storeOffset(Source.Form form) {
    if (base < 0) {
      return storeNumber(form);
    }
    if (form == Source.Form.LONG_RANGE) {
      code.iload(base).i2l().lsub();
      return store(Kind.LONG);
    }
    code.l2i().iload(base).isub();
    return store(Kind.INT);
  }

  private void loadIndex() {
    code.iload(index);
    if (lane > 0) {
      code.loadConstant(lane).iadd();
    }
  }

  /** Leaves the element at the current index on the stack. */
  private void element(Place place) {
    switch (place.form) {
      case INT_RANGE -> position(place);
      case LONG_RANGE -> {
        code.lload(place.at);
        loadIndex();
        code.i2l();
        if (strided) {
          code.lload(place.stride).lmul();
        }
        code.ladd();
      }
      case LIST -> {
        code.aload(place.data);
        position(place);
        code.invokeinterface(desc(List.class), "get", MethodTypeDesc.of(CD_Object, CD_int));
      }
      default -> {
        code.aload(place.data);
        position(place);
        code.arrayLoad(place.form.kind.type);
      }
    }
  }

  private void position(Place place) {
    loadIndex();
    if (strided) {
      code.iload(place.stride).imul();
    }
    if (place.at >= 0) {
      code.iload(place.at).iadd();
    }
  }

  /** The end: its variables before the loop, its part of the loop, and what is left in the cell. */
  private final class End {
    private final Form form = shape.form();
    private final Kind kind = shape.kind();
    private final Kind kept =
        form == Form.COUNT || (form == Form.SUM && shape.kind() == Kind.INT)
            ? Kind.LONG
            : shape.kind();
    private final int function;
    private final int value;
    private final int any;
    private final int key;
    private final int out;
    private final int outAt;

    /** Slots of sums beside each other; none of anything else. */
    private final int[] lanes;

    /**
     * Slot of a zero of which the compiler does not know that it is one; -1: none. A loop that only
     * adds up longs it does not make of vectors, as if that did not pay; one that does something
     * with each of them it does.
     */
    private final int zero;

    End() {
      zero = sumsArrays() ? loadZero() : -1;
      lanes = newLanes(laneCount());
      function = form.hasFunction() ? loadFunction() : -1;
      boolean keeps = keepsValue();
      value = keeps ? loadValue() : -1;
      any = keeps && needsAny() ? loadField("any", CD_boolean, Kind.INT) : -1;
      key = form.isByKey() ? loadKey() : -1;
      boolean stores = form == Form.STORE || form == Form.APPEND;
      out = stores ? loadOut() : -1;
      outAt = stores ? loadOutAt() : -1;
    }

    /** Whether the strip is one chunk of doubles, whose lanes and their order are promised. */
    private boolean isChunk() {
      return form == Form.SUM && kind == Kind.DOUBLE;
    }

    private int laneCount() {
      if (form != Form.SUM) {
        return 0;
      }
      if (kind == Kind.DOUBLE) {
        return DoubleChunks.LANES;
      }
      return kind == Kind.LONG && isStraight() && !sumsArrays() ? LONG_LANES : 0;
    }

    /** Whether longs are added up that come from arrays, one after the other. */
    private boolean sumsArrays() {
      boolean arrays = isArray(shape.source());
      for (Step step : shape.steps()) {
        Source other = step.other();
        arrays &= other == null || isArray(other);
      }
      return form == Form.SUM && kind == Kind.LONG && arrays && !strided && isStraight();
    }

    private boolean isArray(Source source) {
      return source.form() == Source.Form.LONGS || source.form() == Source.Form.INTS;
    }

    /** No index begins with a bit that is set. */
    private int loadZero() {
      code.lload(FROM_SLOT).loadConstant(Long.SIZE - 1).lushr();
      return Spinner.this.store(Kind.LONG);
    }

    /** Nothing branches, so that it is the additions that take the time. */
    private boolean isStraight() {
      Step[] steps = shape.steps();
      return steps.length <= MOST_STEPS_TWICE
          && Arrays.stream(steps).noneMatch(step -> step.op().isFilter());
    }

    private int[] newLanes(int count) {
      int[] slots = new int[count];
      for (int i = 0; i < slots.length; i++) {
        if (kept == Kind.DOUBLE) {
          code.dconst_0();
        } else {
          code.lconst_0();
        }
        slots[i] = Spinner.this.store(kept);
      }
      return slots;
    }

    /** Doubles in the order of {@link DoubleChunks}; of integers the order does not show. */
    private void addLanes() {
      if (kept == Kind.LONG) {
        code.lload(value);
        for (int slot : lanes) {
          code.lload(slot).ladd();
        }
        code.lstore(value);
        return;
      }
      code.dload(lanes[0]).dload(lanes[4]).dadd().dload(lanes[2]).dload(lanes[6]).dadd().dadd();
      code.dload(lanes[1]).dload(lanes[5]).dadd().dload(lanes[3]).dload(lanes[7]).dadd().dadd();
      code.dadd().dstore(value);
    }

    private boolean keepsValue() {
      return switch (form) {
        case SUM, COUNT, MIN, MAX, MIN_BY, MAX_BY, REDUCE, FOLD -> true;
        default -> false;
      };
    }

    private boolean needsAny() {
      return form == Form.MIN || form == Form.MAX || form == Form.REDUCE || form.isByKey();
    }

    private int loadField(String name, ClassDesc type, Kind as) {
      code.aload(CELL_SLOT).getfield(CELL, name, type);
      return Spinner.this.store(as);
    }

    private ClassDesc functionType() {
      return desc(
          switch (form) {
            case REDUCE -> Op.zip(kind).owner;
            case MIN_BY, MAX_BY -> Op.key(kind).owner;
            case EACH -> kind.consumer;
            default -> folder();
          });
    }

    private Class<?> folder() {
      return switch (kind) {
        case INT -> ObjIntConsumer.class;
        case LONG -> ObjLongConsumer.class;
        case DOUBLE -> ObjDoubleConsumer.class;
        case REF -> BiConsumer.class;
      };
    }

    private int loadFunction() {
      code.aload(SEGMENT_SLOT);
      code.invokevirtual(SEGMENT, "function", MethodTypeDesc.of(CD_Object));
      return Spinner.this.store(functionType());
    }

    private int loadValue() {
      if (form == Form.FOLD || kept == Kind.REF) {
        return loadField("ref", CD_Object, Kind.REF);
      }
      code.aload(CELL_SLOT).getfield(CELL, "bits", CD_long);
      fromBits(kept);
      return Spinner.this.store(kept);
    }

    private int loadKey() {
      Kind type = Op.key(kind).out;
      if (type == Kind.REF) {
        return loadField("keyRef", CD_Object, Kind.REF);
      }
      code.aload(CELL_SLOT).getfield(CELL, "key", CD_long);
      fromBits(type);
      return Spinner.this.store(type);
    }

    private void fromBits(Kind to) {
      if (to == Kind.INT) {
        code.l2i();
      } else if (to == Kind.DOUBLE) {
        code.invokestatic(
            DOUBLE, "longBitsToDouble", MethodTypeDesc.of(Kind.DOUBLE.desc(), CD_long));
      }
    }

    private void toBits(Kind from) {
      if (from == Kind.INT) {
        code.i2l();
      } else if (from == Kind.DOUBLE) {
        code.invokestatic(
            DOUBLE, "doubleToRawLongBits", MethodTypeDesc.of(CD_long, Kind.DOUBLE.desc()));
      }
    }

    private int loadOut() {
      code.aload(CELL_SLOT).getfield(CELL, "out", CD_Object);
      return Spinner.this.store(desc(kind.array));
    }

    private int loadOutAt() {
      code.aload(CELL_SLOT).getfield(CELL, "outAt", CD_int);
      if (form == Form.STORE) {
        code.lload(FROM_SLOT).l2i().iadd();
        if (base >= 0) {
          code.iload(base).isub();
        }
      }
      return Spinner.this.store(Kind.INT);
    }

    void take(int element) {
      switch (form) {
        case SUM -> add(value, element);
        case COUNT -> code.lload(value).lconst_1().ladd().lstore(value);
        case MIN -> two(element, "min");
        case MAX -> two(element, "max");
        case REDUCE -> {
          code.aload(function).loadLocal(kind.type, value).loadLocal(kind.type, element);
          Op op = Op.zip(kind);
          code.invokeinterface(desc(op.owner), op.method, op.type());
          code.storeLocal(kind.type, value);
        }
        case EACH -> {
          code.aload(function).loadLocal(kind.type, element);
          code.invokeinterface(functionType(), "accept", MethodTypeDesc.of(CD_void, kind.desc()));
        }
        case FOLD -> {
          code.aload(function).aload(value).loadLocal(kind.type, element);
          code.invokeinterface(
              functionType(), "accept", MethodTypeDesc.of(CD_void, CD_Object, kind.desc()));
        }
        case MIN_BY, MAX_BY -> choose(element);
        case FIRST -> first(element);
        case STORE -> {
          code.aload(out).iload(outAt).iload(index).iadd().loadLocal(kind.type, element);
          code.arrayStore(kind.type);
        }
        case APPEND -> {
          code.aload(out).iload(outAt).loadLocal(kind.type, element).arrayStore(kind.type);
          code.iinc(outAt, 1);
        }
      }
    }

    /** Adds an element to a sum. */
    void add(int sum, int element) {
      if (kind == Kind.DOUBLE) {
        code.dload(sum).dload(element).dadd().dstore(sum);
        return;
      }
      code.lload(sum).loadLocal(kind.type, element);
      if (kind == Kind.INT) {
        code.i2l();
      }
      if (zero >= 0) {
        code.lload(zero).lxor();
      }
      code.ladd().lstore(sum);
    }

    /**
     * Whether what the last filter says is added rather than branched by. Only where it is counted:
     * to store in vain, or to add zeros, costs more than a branch that is mostly foreseen.
     */
    boolean takesTests() {
      Step[] steps = shape.steps();
      return form == Form.COUNT && steps.length > 0 && steps[steps.length - 1].op().isFilter();
    }

    /** Adds one if the element passes the last filter, else zero. */
    void takeIfItPasses(int element, int filter) {
      code.lload(value);
      call(filter, kind, element);
      if (shape.steps()[filter].op().isReject()) {
        code.iconst_1().ixor();
      }
      code.i2l().ladd().lstore(value);
    }

    /** The first element is the value. */
    void takeFirst(int element) {
      if (form.isByKey()) {
        Kind type = Op.key(kind).out;
        int its = keyOf(element);
        code.loadLocal(type.type, its).storeLocal(type.type, key);
      }
      code.iconst_1().istore(any).loadLocal(kind.type, element).storeLocal(kind.type, value);
    }

    private void two(int element, String method) {
      code.loadLocal(kind.type, value).loadLocal(kind.type, element);
      code.invokestatic(MATH, method, MethodTypeDesc.of(kind.desc(), kind.desc(), kind.desc()));
      code.storeLocal(kind.type, value);
    }

    private int keyOf(int element) {
      Op op = Op.key(kind);
      code.aload(function).loadLocal(kind.type, element);
      code.invokeinterface(desc(op.owner), op.method, op.type());
      if (op.out == Kind.REF) {
        code.invokestatic(
            desc(Objects.class), "requireNonNull", MethodTypeDesc.of(CD_Object, CD_Object));
      }
      return Spinner.this.store(op.out);
    }

    /** Keeps the element if its key goes before that of the one kept. */
    private void choose(int element) {
      Kind type = Op.key(kind).out;
      int its = keyOf(element);
      Label done = code.newLabel();
      compareKeys(type, its);
      if (form == Form.MIN_BY) {
        code.ifge(done);
      } else {
        code.ifle(done);
      }
      code.loadLocal(type.type, its).storeLocal(type.type, key);
      code.loadLocal(kind.type, element).storeLocal(kind.type, value).labelBinding(done);
    }

    private void compareKeys(Kind type, int its) {
      code.loadLocal(type.type, its);
      if (type == Kind.REF) {
        code.checkcast(desc(Comparable.class)).aload(key);
        code.invokeinterface(
            desc(Comparable.class), "compareTo", MethodTypeDesc.of(CD_int, CD_Object));
      } else if (type == Kind.DOUBLE) {
        code.dload(key);
        code.invokestatic(DOUBLE, "compare", MethodTypeDesc.of(CD_int, type.desc(), type.desc()));
      } else {
        code.lload(key).lcmp();
      }
    }

    private void storeKey() {
      Kind type = Op.key(kind).out;
      code.aload(CELL_SLOT).loadLocal(type.type, key);
      if (type == Kind.REF) {
        code.putfield(CELL, "keyRef", CD_Object);
      } else {
        toBits(type);
        code.putfield(CELL, "key", CD_long);
      }
    }

    private void first(int element) {
      if (kind == Kind.REF) {
        code.aload(CELL_SLOT).aload(element).putfield(CELL, "ref", CD_Object);
      } else {
        code.aload(CELL_SLOT).loadLocal(kind.type, element);
        toBits(kind);
        code.putfield(CELL, "bits", CD_long);
      }
      code.aload(CELL_SLOT).lload(FROM_SLOT).iload(index);
      if (base >= 0) {
        code.iload(base).isub();
      }
      code.i2l().ladd().putfield(CELL, "index", CD_long);
      code.aload(CELL_SLOT).iconst_1().putfield(CELL, "any", CD_boolean).return_();
    }

    void finish() {
      if (form == Form.APPEND) {
        code.aload(CELL_SLOT).iload(outAt).putfield(CELL, "outAt", CD_int);
      }
      if (value < 0 || form == Form.FOLD) {
        return;
      }
      if (kept == Kind.REF) {
        code.aload(CELL_SLOT).aload(value).putfield(CELL, "ref", CD_Object);
      } else {
        code.aload(CELL_SLOT).loadLocal(kept.type, value);
        toBits(kept);
        code.putfield(CELL, "bits", CD_long);
      }
      if (key >= 0) {
        storeKey();
      }
      if (any >= 0) {
        code.aload(CELL_SLOT).iload(any).putfield(CELL, "any", CD_boolean);
      }
    }
  }
}
