package main

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// solve plays a castle with full knowledge: it takes each reachable item and unlocks each door for which it has the
// key.
func solve(t *testing.T, c *castle) {
	t.Helper()
	must := func(_ string, err error) {
		if err != nil {
			t.Fatalf("in the %s: %v", c.rooms[c.here].name, err)
		}
	}
	var visit func(from int)
	visit = func(from int) {
		here := c.here
		for _, item := range slices.Clone(c.rooms[here].items) {
			must(c.take(item))
		}
		for _, d := range directions {
			e := c.rooms[here].exits[d]
			if e == nil || e.to == from {
				continue
			}
			if e.lock != nil && !e.lock.open {
				if !slices.Contains(c.inventory, e.lock.key) {
					continue
				}
				must(c.unlock(d))
			}
			must(c.walk(d))
			visit(here)
			must(c.walk(steps[d].back))
		}
	}
	for range 1 + len(keys) { // a key may be behind a door that was passed earlier
		visit(-1)
	}
}

func TestEveryCastle_CanBeWon(t *testing.T) {
	for seed := range uint64(300) {
		for rooms := 2; rooms <= len(roomNames); rooms++ {
			c, err := build(seed, rooms, int(seed)%(len(keys)+1))
			if err != nil {
				t.Fatal(err)
			}
			if solve(t, c); !c.won {
				t.Errorf("the castle of seed %d with %d rooms cannot be won", seed, rooms)
			}
		}
	}
}

func TestCastles_DifferBySeedAndAreEqualWithoutIt(t *testing.T) {
	views := map[string]bool{}
	for seed := range uint64(50) {
		a, _ := build(seed, 6, 2)
		b, _ := build(seed, 6, 2)
		if diff := cmp.Diff(a.look(), b.look()); diff != "" {
			t.Errorf("seed %d gives two castles:\n%s", seed, diff)
		}
		views[a.look()] = true
	}
	if len(views) < 25 {
		t.Errorf("50 seeds give %d different first rooms", len(views))
	}
}

func TestLocks_HoldWithoutTheirKeys(t *testing.T) {
	c := &castle{rooms: []room{
		{name: "hall", items: []string{"copper key"}, exits: map[direction]*exit{}},
		{name: "cellar", items: []string{theTreasure}, exits: map[direction]*exit{}},
	}, treasure: 1}
	door := &lock{key: "copper key"}
	c.rooms[0].exits["east"], c.rooms[1].exits["west"] = &exit{to: 1, lock: door}, &exit{to: 0, lock: door}

	refused := func(what string, err error) {
		t.Helper()
		if !errors.As(err, new(refusal)) {
			t.Errorf("%s: %v, want a refusal", what, err)
		}
	}
	_, err := c.walk("east")
	refused("through a locked door", err)
	_, err = c.unlock("east")
	refused("without the key", err)
	_, err = c.take(theTreasure)
	refused("what lies in another room", err)
	_, err = c.walk("up")
	refused("where no door is", err)
	if diff := cmp.Diff("You are in the hall. East: a locked door with a copper lock. Here lies: copper key.",
		c.look()); diff != "" {
		t.Error(diff)
	}
	if _, err := c.take("copper key"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.unlock("east"); err != nil {
		t.Fatal(err)
	}
	if said, err := c.walk("east"); err != nil || said != "You are in the cellar. West: a door that you have unlocked. Here lies: treasure." {
		t.Errorf("through the open door: %q, %v", said, err)
	}
	if c.carried() != "You carry nothing." {
		t.Errorf("with the key in the lock: %s", c.carried())
	}
}

func TestBuild_RefusesSizesThatDoNotExist(t *testing.T) {
	for _, size := range [][2]int{{1, 0}, {17, 0}, {5, -1}, {5, 5}} {
		if _, err := build(1, size[0], size[1]); err == nil {
			t.Errorf("a castle with %d rooms and %d locks was built", size[0], size[1])
		}
	}
}
