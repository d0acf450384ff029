package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// The lengths of these lists bound the size of a task.
var (
	roomNames = []string{
		"hall", "kitchen", "library", "chapel", "armoury", "cellar", "gallery", "stable", "tower", "dungeon", "laboratory",
		"garden", "pantry",
		"observatory", "throne room", "guard room",
	}
	keys = []string{"copper key", "silver key", "golden key", "iron key"}
)

// build creates the castle of a seed: a tree of rooms on a grid, with the treasure in the room farthest from the
// first, and locks on the path to it. The key of each lock is in a room that can be reached before it, so every
// castle can be won.
func build(seed uint64, rooms, locks int) (*castle, error) {
	if rooms < 2 || rooms > len(roomNames) {
		return nil, fmt.Errorf("a castle has 2 to %d rooms, not %d", len(roomNames), rooms)
	}
	if locks < 0 || locks > len(keys) {
		return nil, fmt.Errorf("a castle has 0 to %d locks, not %d", len(keys), locks)
	}
	random := rand.New(rand.NewPCG(seed, uint64(rooms)<<8|uint64(locks)))
	c := &castle{}
	names := random.Perm(len(roomNames))
	for i := range rooms {
		c.rooms = append(c.rooms, room{name: roomNames[names[i]], exits: map[direction]*exit{}})
	}
	c.connect(random)
	way := c.farthest()
	c.treasure = way[len(way)-1]
	c.rooms[c.treasure].items = []string{theTreasure}
	c.lock(random, way, locks)
	return c, nil
}

// steps maps a direction to its offset on the grid and to the opposite direction.
var steps = map[direction]struct {
	x, y int
	back direction
}{"north": {0, 1, "south"}, "east": {1, 0, "west"}, "south": {0, -1, "north"}, "west": {-1, 0, "east"}}

// connect places each room next to one with a free adjacent cell.
func (c *castle) connect(random *rand.Rand) {
	type place struct{ x, y int }
	at, taken := []place{{0, 0}}, map[place]bool{{0, 0}: true}
	for i := 1; i < len(c.rooms); {
		from, d := random.IntN(i), directions[random.IntN(len(directions))]
		to := place{at[from].x + steps[d].x, at[from].y + steps[d].y}
		if taken[to] {
			continue
		}
		taken[to] = true
		at = append(at, to)
		c.rooms[from].exits[d], c.rooms[i].exits[steps[d].back] = &exit{to: i}, &exit{to: from}
		i++
	}
}

// farthest returns the path from the first room to the one farthest from it.
func (c *castle) farthest() []int {
	ways := [][]int{{0}}
	for i := 0; i < len(ways); i++ { // breadth first: the last path is the longest
		way := ways[i]
		for _, d := range directions {
			e := c.rooms[way[len(way)-1]].exits[d]
			if e != nil && !slices.Contains(way, e.to) {
				ways = append(ways, append(slices.Clone(way), e.to))
			}
		}
	}
	return ways[len(ways)-1]
}

// lock locks doors on the path, at most as many as it has, and hides each key before its door.
func (c *castle) lock(random *rand.Rand, way []int, locks int) {
	chosen := random.Perm(len(way) - 1)[:min(locks, len(way)-1)]
	slices.Sort(chosen)
	for n, i := range chosen {
		key := &lock{key: keys[n]}
		for _, side := range [][2]int{{way[i], way[i+1]}, {way[i+1], way[i]}} {
			for _, e := range c.rooms[side[0]].exits {
				if e.to == side[1] {
					e.lock = key
				}
			}
		}
		before := c.reachable(n)
		hidden := &c.rooms[before[random.IntN(len(before))]]
		hidden.items = append(hidden.items, key.key)
	}
}

// reachable returns the rooms that can be reached with the first n keys, sorted by number.
func (c *castle) reachable(n int) []int {
	found := []int{0}
	for i := 0; i < len(found); i++ {
		for _, d := range directions {
			e := c.rooms[found[i]].exits[d]
			if e == nil || slices.Contains(found, e.to) || e.lock != nil && slices.Index(keys, e.lock.key) >= n {
				continue
			}
			found = append(found, e.to)
		}
	}
	slices.Sort(found)
	return found
}
