package dev.blitz.io.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@Strict
class LinkListTest {
  private static final class Item extends Link {}

  private final LinkList list = new LinkList();
  private final List<Item> items = new ArrayList<>();

  private void fill(int count) {
    for (int i = 0; i < count; i++) {
      var item = new Item();
      items.add(item);
      list.add(item);
    }
  }

  private static List<Link> chain(@Nullable Link first) {
    var all = new ArrayList<Link>();
    for (Link l = first; l != null; l = l.following()) {
      assertThat(l.isLinked()).isFalse();
      assertThat(l.prev).isNull();
      all.add(l);
    }
    return all;
  }

  private List<Link> left() {
    var all = new ArrayList<Link>();
    for (Link l = list.takeFirst(); l != null; l = list.takeFirst()) {
      all.add(l);
    }
    assertThat(list.isEmpty()).isTrue();
    return all;
  }

  @Test
  void takeThrough_takesAPrefixInOrder_andLeavesTheRest() {
    for (int through = 0; through < 4; through++) {
      items.clear();
      fill(4);
      assertThat(chain(list.takeThrough(items.get(through))))
          .containsExactlyElementsOf(items.subList(0, through + 1));
      var late = new Item();
      list.add(late);
      items.add(late);
      assertThat(left()).containsExactlyElementsOf(items.subList(through + 1, 5));
    }
  }

  @Test
  void takeAll_takesEverything_orNothing() {
    assertThat(list.takeAll()).isNull();
    fill(3);
    assertThat(chain(list.takeAll())).containsExactlyElementsOf(items);
    assertThat(list.isEmpty()).isTrue();
  }

  @Test
  void remove_ofAnElementThatWasTaken_changesNothing() {
    fill(3);
    Link first = list.takeThrough(items.get(1));
    assertThat(list.remove(items.get(0))).isFalse();
    assertThat(list.remove(items.get(1))).isFalse();
    assertThat(chain(first)).hasSize(2);
    assertThat(list.remove(items.get(2))).isTrue();
    assertThat(list.isEmpty()).isTrue();
  }
}
