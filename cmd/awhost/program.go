package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/runstore"
)

// calling holds information about how this program was started.
type calling struct {
	arg0, executable string
	onPath           string // the program named awhost that a shell finds; empty: none
	pkg, version     string // of the main package, as recorded by the Go linker
	isModule         bool   // the working directory is the root of this program's module
}

// howCalled collects the data.
func howCalled() calling {
	c := calling{arg0: os.Args[0]}
	c.executable, _ = os.Executable()
	c.onPath, _ = exec.LookPath("awhost")
	if info, ok := debug.ReadBuildInfo(); ok {
		c.pkg, c.version = info.Path, info.Main.Version
		if text, err := os.ReadFile("go.mod"); err == nil {
			first, _, _ := strings.Cut(string(text), "\n")
			c.isModule = strings.TrimSpace(first) == "module "+info.Main.Path
		}
	}
	return c
}

// builtByGoRun matches the paths of programs that are removed, or hard to find, after `go run` ends.
var builtByGoRun = regexp.MustCompile(`[/\\](go-build\d+[/\\]b\d+[/\\]exe|[0-9a-f]{2}[/\\][0-9a-f]{64}-d)[/\\]`)

// program returns the command that starts this program again in a shell here.
func (c calling) program() string {
	// A kept build that resumes a run receives the first argument of the build that executed it.
	builtByGoRun := builtByGoRun.MatchString(c.executable) || builtByGoRun.MatchString(c.arg0)
	switch {
	case builtByGoRun && c.isModule:
		return "go run ./" + c.pkg[strings.LastIndex(c.pkg, "/cmd/")+1:]
	case builtByGoRun && strings.HasPrefix(c.version, "v") && !strings.Contains(c.version, "+dirty"):
		return "go run " + c.pkg + "@" + c.version
	case builtByGoRun:
		return "go run " + c.pkg
	case !strings.ContainsRune(c.arg0, filepath.Separator), c.onPath != "" && sameFile(c.onPath, c.executable):
		return strings.TrimSuffix(filepath.Base(c.arg0), ".exe")
	}
	return runstore.ShellWord(c.arg0)
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// typeable returns a function that rewrites the commands in a text so that they can be typed: `awhost resume` becomes
// `go run ./cmd/awhost resume` if awhost is not installed. It returns nil if the name is awhost.
func typeable(root *cobra.Command, program string) func(string) string {
	if program == root.Name() {
		return nil
	}
	var names []string
	for _, c := range root.Commands() {
		names = append(names, regexp.QuoteMeta(c.Name()))
	}
	commands := regexp.MustCompile("(^|[\\s`\"'(]|\x1b\\[[0-9;]*m)" + root.Name() + " ((?:" + strings.Join(names, "|") +
		")\\b)")
	replacement := "${1}" + strings.ReplaceAll(program, "$", "$$") + " ${2}"
	return func(text string) string { return commands.ReplaceAllString(text, replacement) }
}
