package process

import "fmt"

// Identity names a process for good: a pid alone is given to another process sooner or later.
type Identity struct {
	PID     int    `json:"pid"`
	Started uint64 `json:"started"`         // clock ticks after boot; 0 where the system does not tell
	Boot    string `json:"boot,omitempty"`  // id of the boot
	Space   string `json:"space,omitempty"` // pid namespace, in which the pid means something
}

// IdentityOf names a running process. It is an error when there is none with that pid.
func IdentityOf(pid int) (Identity, error) {
	id, err := identify(pid)
	if err != nil {
		return Identity{}, fmt.Errorf("identify process %d: %w", pid, err)
	}
	return id, nil
}

// Parent returns the parent of a running process, as this process sees it.
func Parent(pid int) (int, error) { return parent(pid) }

// Alive tells whether this very process still runs; a zombie does not. A process of another pid namespace cannot be
// seen and counts as alive, since the answer is used to decide what may be removed.
func Alive(id Identity) bool { return alive(id) }
