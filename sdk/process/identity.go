package process

import "fmt"

// Identity identifies a process permanently, whereas a PID alone is eventually reused for another process.
type Identity struct {
	PID     int    `json:"pid"`
	Started uint64 `json:"started"`         // clock ticks after boot; 0 if the system does not report it
	Boot    string `json:"boot,omitempty"`  // id of the boot
	Space   string `json:"space,omitempty"` // pid namespace in which the pid is valid
}

// IdentityOf returns the identity of a running process. It returns an error if no process has the PID.
func IdentityOf(pid int) (Identity, error) {
	id, err := identify(pid)
	if err != nil {
		return Identity{}, fmt.Errorf("identify process %d: %w", pid, err)
	}
	return id, nil
}

// Parent returns a running process's parent, as seen from this process.
func Parent(pid int) (int, error) { return parent(pid) }

// Alive reports whether this exact process is still running; a zombie is not. A process in another PID namespace is
// invisible and is considered running, because the result is used to determine which files may be removed.
func Alive(id Identity) bool { return alive(id) }
