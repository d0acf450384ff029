package process

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"strings"
)

// EnvLaunch names the launch that a detached process belongs to. Whatever it starts inherits it.
const EnvLaunch = "AWHOST_LAUNCH"

// notForTrainers are variables of a plugin that a process which outlives it has no use for.
var notForTrainers = append([]string{"AWHOST_TLS_DIR"}, fromGoPlugin...)

// Detach prepares a command that a plugin is about to start, so that the process may outlive the plugin and its host: the
// trainer of a launch.
//
//	cmd := exec.Command(python, "-m", "trainer")
//	cmd.Stdout, cmd.Stderr = log, log
//	if err := process.Detach(cmd, req.LaunchID); err != nil { … }
//	err := cmd.Start()
//	go cmd.Wait() // as long as the plugin lives; afterwards Alive(identity) tells
//
// It gets a session of its own, and in its environment the mark of its launch, by which FindMarked finds it again, and
// AWHOST_DETACHABLE=1, for which the guard of the run spares it and what descends from it. Call it when cmd.Env is complete; nil
// is the environment of this process. Output goes to files, because pipes would break with the plugin.
func Detach(cmd *exec.Cmd, launchID string) error {
	switch {
	case launchID == "" || strings.ContainsRune(launchID, 0):
		return fmt.Errorf("detach %s: %q is no id of a launch", cmd.Path, launchID)
	case cmd.SysProcAttr != nil:
		return fmt.Errorf("detach %s: it has process attributes of its own", cmd.Path)
	case cmd.Process != nil:
		return fmt.Errorf("detach %s: it has been started already", cmd.Path)
	case !isFile(cmd.Stdout) || !isFile(cmd.Stderr):
		return fmt.Errorf("detach %s: its output goes through this process, with which it would break: give it a file", cmd.Path)
	case cmd.Stdin != nil:
		return fmt.Errorf("detach %s: it reads from this process, with which that would end", cmd.Path)
	}
	env := parseEnv(cmd.Environ())
	maps.DeleteFunc(env, func(name, _ string) bool { return strings.HasPrefix(name, "PLUGIN_") })
	for _, name := range notForTrainers {
		delete(env, name)
	}
	env[EnvDetachable], env[EnvLaunch] = "1", launchID
	list, err := formatEnv(env)
	if err != nil {
		return fmt.Errorf("detach %s: %w", cmd.Path, err)
	}
	cmd.Env, cmd.SysProcAttr = list, processAttributes(true)
	return nil
}

func isFile(w io.Writer) bool {
	if w == nil {
		return true
	}
	_, ok := w.(*os.File)
	return ok
}

// ErrNoMarks says that this system does not show the environment of a process.
var ErrNoMarks = errors.New("processes cannot be found by their mark on this system")
