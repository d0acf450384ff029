// Package awhost builds the program that benchmarks measure.
//
//	program, err := awhost.Build(ctx, scratch, "") // from this checkout
package awhost

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Build compiles awhost into the scratch directory, unless a program is named. Benchmarks measure the program itself
// rather than `go run`.
func Build(ctx context.Context, scratch, named string) (string, error) {
	if named != "" {
		return filepath.Abs(named)
	}
	program := filepath.Join(scratch, "awhost")
	out, err := exec.CommandContext(ctx, "go", "build", "-o", program,
		"github.com/awhost/awhost/cmd/awhost").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build awhost: %w\n%s", err, out)
	}
	return program, nil
}

// Root returns the directory of the awhost source code.
func Root(ctx context.Context) (string, error) {
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/awhost/awhost").Output()
	if err != nil {
		return "", fmt.Errorf("find the awhost source code: %w; run this command in a checkout", err)
	}
	return strings.TrimSpace(string(root)), nil
}
