package catalog

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// BuildForDebugger builds the Go package of a plugin once more, as a debugger wants it: its own module is not
// optimised, so that every variable is there, and files have the names that editors know them by. It is what the user
// has in the directory, from which Refresh has just built the plugin.
func (e *Entry) BuildForDebugger(ctx context.Context, program string) error {
	if e.Origin != OriginGo || e.executable == nil || e.executable.dir == "" {
		return fmt.Errorf("build %s for a debugger: it is no Go package in a directory", e.Name)
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
