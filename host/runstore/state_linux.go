package runstore

import (
	"fmt"
	"os"
	"strings"
)

// State returns the state of the owner's process according to the system. It is empty if the state is unknown, for
// example on another machine.
func (o Owner) State() ProcessState {
	if host, err := os.Hostname(); err != nil || host != o.Host || !o.Alive() {
		return ""
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", o.PID))
	if err != nil {
		return ""
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:])) // see processStart
	if len(fields) == 0 {
		return ""
	}
	switch fields[0] {
	case "T", "t":
		return ProcessStopped
	case "D":
		return ProcessBlocked
	case "Z", "X":
		return ""
	}
	return ProcessRuns
}
