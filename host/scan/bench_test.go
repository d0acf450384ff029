package scan_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/awhost/awhost/host/scan"
)

// cpu returns the CPU time of this process.
func cpu() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkScan measures the CPU time of all rules per turn of long conversations: a message of 600 bytes, and a result
// of 800.
func BenchmarkScan(b *testing.B) {
	const turns = 20
	prose := ""
	for i := range 6 {
		prose += fmt.Sprintf("I can see that function %d returns the wrong value as it adds an offset to the result of "+
			"call %[1]d. ", i)
	}
	code := strings.Repeat("def add(a, b):\\n    if a == 3:\\n        return a + b\\n    return helper(a)\\n", 8)
	for name, lines := range map[string]func(i int) []string{
		"chat": func(i int) []string {
			return []string{"user: " + prose, fmt.Sprint("assistant: ", i, " ",
				prose)}
		},
		"code": func(i int) []string {
			return []string{fmt.Sprintf(`call: write_file {"path":"src/calc%d.py","content":"%s"}`, i, code),
				fmt.Sprint("result: wrote ", i, strings.Repeat("tests/test_calc.py ok\n", 36))}
		},
	} {
		var all []string
		all = append(all, "user: Fix the function add in calc.py.")
		for i := range turns {
			all = append(all, lines(i)...)
		}
		c := scan.Conversation{Messages: say(b, all...),
			Private: json.RawMessage(`{"ground_truth":"Mount Elbrus"}`)}
		b.Run(name, func(b *testing.B) {
			scan.New(nil).Scan(c) // reads the rules
			began := cpu()
			for b.Loop() {
				if hits := scan.New(nil).Scan(c); len(hits) > 0 {
					b.Fatal(hits)
				}
			}
			b.ReportMetric(float64(cpu()-began)/float64(b.N)/turns, "cpu-ns/turn")
		})
	}
}
