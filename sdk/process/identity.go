package process

import "fmt"

// Identity identifies a process permanently: a pid alone is reused for another process sooner or later.
type Identity struct {
	PID     int    `json:"pid"`
	Started uint64 `json:"started"`         // clock ticks after boot; 0 if the system does not report it
	Boot    string `json:"boot,omitempty"`  // id of the boot
	Space   string `json:"space,omitempty"` // pid namespace in which the pid is valid
}

// IdentityOf returns the identity of a running process. It returns an error if no process has the pid.
func IdentityOf(pid int) (Identity, error) {
	id, err := identify(pid)
	if err != nil {
		return Identity{}, fmt.Errorf("identify process %d: %w", pid, err)
	}
	return id, nil
}

// Parent returns the parent of a running process, as this process sees it.
func Parent(pid int) (int, error) { return parent(pid) }

// Alive reports whether this exact process still runs; a zombie does not. A process of another pid namespace is
// invisible and counts as running, because the result is used to decide which files may be removed.
func Alive(id Identity) bool { return alive(id) }
