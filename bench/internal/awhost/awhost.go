// Package awhost finds the program that benchmarks measure.
//
//	program, err := awhost.Build(ctx, scratch, "") // the one of this checkout
package awhost

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
)

// Build compiles awhost into the directory scratch, unless a program was named. What is measured is the program, not
// `go run`.
func Build(ctx context.Context, scratch, named string) (string, error) {
	if named != "" {
		return filepath.Abs(named)
	}
	program := filepath.Join(scratch, "awhost")
	out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "github.com/awhost/awhost/cmd/awhost").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build awhost: %w\n%s", err, out)
	}
	return program, nil
}
