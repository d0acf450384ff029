package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"time"
)

// stage copies the spec and its data into a new directory, to which the runs are written.
func stage(spec, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	text, err := os.ReadFile(spec)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "train.hcl"), text, 0o644); err != nil {
		return err
	}
	data := filepath.Join(filepath.Dir(spec), "data")
	if _, err := os.Stat(data); err != nil {
		return nil
	}
	return os.CopyFS(filepath.Join(dir, "data"), os.DirFS(data))
}

// variables returns the values of the spec's variables.
func variables(o options, seed int) map[string]string {
	out := map[string]string{"seed": strconv.Itoa(seed)}
	if o.steps > 0 {
		out["steps"] = strconv.Itoa(o.steps)
	}
	return out
}

func variableFlags(vars map[string]string) []string {
	var out []string
	for name, value := range vars {
		out = append(out, "--var="+name+"="+value)
	}
	sort.Strings(out)
	return out
}

// timePlan returns the median wall time of `awhost plan` in seconds. The first run warms the page cache and is not
// counted.
func timePlan(ctx context.Context, o options, dir string) (float64, error) {
	if err := stage(o.spec, dir); err != nil {
		return 0, err
	}
	var seconds []float64
	for i := range o.plans + 1 {
		began := time.Now()
		var stderr bytes.Buffer
		cmd := exec.CommandContext(ctx, o.awhost, "plan")
		cmd.Dir, cmd.Stderr = dir, &stderr
		if err := cmd.Run(); err != nil {
			return 0, fmt.Errorf("awhost plan: %w\n%s", err, stderr.Bytes())
		}
		if i > 0 {
			seconds = append(seconds, time.Since(began).Seconds())
		}
	}
	return median(seconds), nil
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := append([]float64(nil), values...)
	sort.Float64s(sorted)
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}
