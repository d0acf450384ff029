package catalog

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// BuildForDebugger builds a plugin's Go package for a debugger: the plugin's module is not optimized, so that all
// variables are available, and file names match the editor's. It builds the current content of the directory, the same
// directory from which Refresh has just built the plugin.
func (e *Entry) BuildForDebugger(ctx context.Context, program string) error {
	if e.Origin != OriginGo || e.executable == nil || e.executable.dir == "" {
		return fmt.Errorf("build %s for a debugger: it is not a Go package in a directory", e.Name)
	}
	dir := e.executable.dir
	list := exec.CommandContext(ctx, "go", "list", "-f", "{{with .Module}}{{.Path}}{{end}}", ".")
	list.Dir, list.Env = dir, buildEnv(list.Environ())
	module, err := list.Output()
	if err != nil {
		return fmt.Errorf("build %s for a debugger: find its module: %w", e.Name, err)
	}
	flags := "all=-N -l"
	if name := strings.TrimSpace(string(module)); name != "" {
		flags = name + "/...=-N -l"
	}
	return goBuild(ctx, dir, program, "-gcflags="+flags)
}
