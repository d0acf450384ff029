package main

import (
	"fmt"
	"slices"
	"strings"
)

// castle is a game. The player sees only the current room and has to find the keys, the treasure and the locked
// doors.
type castle struct {
	rooms     []room
	treasure  int // room index
	here      int // the player's room
	inventory []string
	actions   int
	mistakes  int // actions that were not possible
	won       bool
}

type room struct {
	name  string
	items []string
	exits map[direction]*exit
	seen  bool
}

// exit is one side of a door. Both sides share the lock.
type exit struct {
	to   int // room index
	lock *lock
}

// lock is the lock of a door. A door without one has a nil lock.
type lock struct {
	key  string
	open bool
}

type direction string

// The directions in the order in which they are listed.
var directions = []direction{"north", "east", "south", "west"}

const theTreasure = "treasure"

// refusal tells the player why an action is not possible.
type refusal string

func (r refusal) Error() string { return string(r) }

// look describes the current room.
func (c *castle) look() string {
	r := &c.rooms[c.here]
	r.seen = true
	var b strings.Builder
	fmt.Fprintf(&b, "You are in the %s.", r.name)
	for _, d := range directions {
		if e := r.exits[d]; e != nil {
			fmt.Fprintf(&b, " %s: a %s.", strings.ToUpper(string(d[:1]))+string(d[1:]), e.door())
		}
	}
	if len(r.items) > 0 {
		fmt.Fprintf(&b, " Here lies: %s.", strings.Join(r.items, ", "))
	}
	return b.String()
}

func (e *exit) door() string {
	switch {
	case e.lock == nil:
		return "doorway"
	case e.lock.open:
		return "door that you have unlocked"
	}
	return "locked door with a " + strings.TrimSuffix(e.lock.key, " key") + " lock"
}

// walk goes through a door.
func (c *castle) walk(d direction) (string, error) {
	e := c.rooms[c.here].exits[d]
	switch {
	case e == nil:
		return "", refusal(fmt.Sprintf("There is no door to the %s.", d))
	case e.lock != nil && !e.lock.open:
		return "", refusal(fmt.Sprintf("The door to the %s is locked.", d))
	}
	c.here = e.to
	return c.look(), nil
}

// unlock opens a door with a key that the player carries. The key stays in the lock.
func (c *castle) unlock(d direction) (string, error) {
	e := c.rooms[c.here].exits[d]
	if e == nil || e.lock == nil || e.lock.open {
		return "", refusal(fmt.Sprintf("There is no locked door to the %s.", d))
	}
	i := slices.Index(c.inventory, e.lock.key)
	if i < 0 {
		return "", refusal(fmt.Sprintf("You do not have the %s.", e.lock.key))
	}
	c.inventory = slices.Delete(c.inventory, i, i+1)
	e.lock.open = true
	return fmt.Sprintf("You unlock the door to the %s.", d), nil
}

// take picks up an item. Taking the treasure wins the game.
func (c *castle) take(item string) (string, error) {
	r := &c.rooms[c.here]
	i := slices.Index(r.items, item)
	if i < 0 {
		return "", refusal("There is no such thing here.")
	}
	r.items = slices.Delete(r.items, i, i+1)
	c.inventory = append(c.inventory, item)
	if item == theTreasure {
		c.won = true
		return "You take the treasure. You have won.", nil
	}
	return fmt.Sprintf("You take the %s.", item), nil
}

// carried lists the player's items.
func (c *castle) carried() string {
	if len(c.inventory) == 0 {
		return "You carry nothing."
	}
	return "You carry: " + strings.Join(c.inventory, ", ") + "."
}

// doors counts the open locks and all locks.
func (c *castle) doors() (open, all int) {
	for _, r := range c.rooms {
		for _, e := range r.exits {
			if e.lock != nil {
				all++
				if e.lock.open {
					open++
				}
			}
		}
	}
	return open / 2, all / 2 // each door is in two rooms
}
