package runstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
)

// processStart returns the start time of a process in clock ticks since boot, or an empty string if it is unknown.
func processStart(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	// The name in field 2 may contain spaces and parentheses, so fields are counted from its last parenthesis.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 20 {
		return ""
	}
	return fields[19]
}

// maxHolders bounds the number of processes in a message.
const maxHolders = 3

// holders returns the names of the processes that have a file open, for display. It cannot see other users' processes.
func holders(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	descriptors, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return ""
	}
	var names []string
	last := strconv.Itoa(os.Getpid())
	for _, fd := range descriptors {
		pid := strings.Split(fd, "/")[2]
		if pid == last {
			continue // already listed, or this process
		}
		if target, err := os.Readlink(fd); err != nil || target != path {
			continue
		}
		last = pid
		name, _ := os.ReadFile("/proc/" + pid + "/comm") // it may just have ended
		names = append(names, fmt.Sprintf("process %s (%s)", pid, strings.Map(printable, string(name))))
		if len(names) == maxHolders {
			break
		}
	}
	return strings.Join(names, ", ")
}

// printable removes characters that a terminal would interpret.
func printable(r rune) rune {
	if !unicode.IsPrint(r) {
		return -1
	}
	return r
}
