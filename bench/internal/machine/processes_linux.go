package machine

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	ticksPerSecond = 100 // USER_HZ, the same on all architectures that Go supports
	statFile       = "/proc/[0-9]*/stat"
)

// Processes are those of the machine. One that ends meanwhile is left out.
func Processes() []Process {
	files, err := filepath.Glob(statFile)
	if err != nil {
		return nil
	}
	var out []Process
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if p, ok := parseStat(string(text)); ok {
			out = append(out, p)
		}
	}
	return out
}

// parseStat reads a line of proc_pid_stat(5). The name, in parentheses, may hold anything.
func parseStat(text string) (Process, bool) {
	opened, closed := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if opened < 0 || closed < opened {
		return Process{}, false
	}
	pid, err := strconv.Atoi(strings.TrimSpace(text[:opened]))
	fields := strings.Fields(text[closed+1:])
	if err != nil || len(fields) < 22 {
		return Process{}, false
	}
	number := func(field int) int64 { // counted as in the manual, from 1
		n, err := strconv.ParseInt(fields[field-3], 10, 64)
		if err != nil {
			return 0
		}
		return n
	}
	return Process{
		PID: pid, Parent: int(number(4)), RSS: number(24) * int64(os.Getpagesize()),
		CPU: float64(number(14)+number(15)) / ticksPerSecond,
	}, true
}
