package runstore

import (
	"fmt"
	"os"
	"strings"
)

// processStart is when a process began, in clock ticks since boot; empty when it is not known.
func processStart(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	// The name in field 2 may hold spaces and parentheses: count from its last parenthesis.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 20 {
		return ""
	}
	return fields[19]
}
