// Command awhost trains LLM agents with plugins: see the README, or run `awhost help`.
//
// Each command is in its own file in this package: it parses its flags, calls the packages under host, and shows the
// result. Logic that needs tests belongs in those packages.
package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"syscall"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk/process/heap"
	"github.com/awhost/awhost/sdk/process/procs"
)

func main() {
	// Only the owner and the group may write to a run's files, unless its dir_mode allows more: plugins and trainers
	// also inherit the umask.
	syscall.Umask(syscall.Umask(0o077) | 0o002)
	if len(os.Args) < 3 || !slices.Equal(os.Args[1:3], servePlugin) {
		heap.Pace(heapRoom) // a plugin chooses its own pace
	}
	os.Exit(execute(os.Args[1:]))
}

// servePlugin begins the arguments of a plugin's process.
var servePlugin = []string{"plugin", "serve"}

// heapRoom is the number of bytes that the host may allocate between two garbage collections.
const heapRoom = 24 << 20

// adaptTo prepares the host for a number of concurrent episodes. Each collection looks at all of them, so with more
// episodes, more memory is allocated between two collections.
func adaptTo(episodes int) {
	const each, most = 512 << 10, 64 << 20
	heap.Pace(min(episodes*each, most))
	procs.Adapt()
}

func execute(args []string) int {
	a := &app{in: os.Stdin, out: text.NewOutput(os.Stdout), err: text.NewOutput(os.Stderr)}
	a.environ = surroundings(os.Environ())
	root := newRoot(a)
	a.out.Commands = typeable(root, howCalled().program())
	a.err.Commands = a.out.Commands
	root.SetArgs(args)
	err := root.ExecuteContext(context.Background())
	var exit *exitError
	switch {
	case err == nil:
		return run.ExitOK.Number
	case errors.As(err, &exit):
		if exit.err != nil {
			a.complain(exit.err)
		}
		return exit.code.Number
	}
	a.complain(err)
	return run.ExitUsage.Number
}

// exitError ends the process with an exit code; err is nil if all output has been written.
type exitError struct {
	code run.ExitCode
	err  error
}

// Error implements error.
func (e *exitError) Error() string {
	if e.err == nil {
		return e.code.Name
	}
	return e.err.Error()
}

// exit returns nil for code ok without an error.
func exit(code run.ExitCode, err error) error {
	if code == run.ExitOK && err == nil {
		return nil
	}
	return &exitError{code, err}
}
