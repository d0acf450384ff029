package runstore

import (
	"fmt"
	"os"
	"strings"
)

// State is what the system says of the owner's process; empty when it says nothing, as of one on another machine.
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
