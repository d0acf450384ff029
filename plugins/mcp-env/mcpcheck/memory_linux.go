package mcpcheck

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// residentBytes returns the resident memory of a process and its descendants, or 0 if it cannot be read.
func residentBytes(root int) int64 {
	if root == 0 {
		return 0
	}
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has exited
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if len(fields) > 1 {
			parent, _ := strconv.Atoi(fields[1])
			children[parent] = append(children[parent], pid)
		}
	}
	var sum int64
	for open := []int{root}; len(open) > 0; open = open[1:] {
		sum += resident(open[0])
		open = append(open, children[open[0]]...)
	}
	return sum
}

func resident(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	var size, pages int64
	_, _ = fmt.Sscan(string(text), &size, &pages)
	return pages * int64(os.Getpagesize())
}
