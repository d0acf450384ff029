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

// EnvLaunch names the launch that a detached process belongs to. Its children inherit the variable.
const EnvLaunch = "AWHOST_LAUNCH"

// trainerExcludedEnv lists a plugin's variables that are not needed by a process that outlives the plugin.
var trainerExcludedEnv = append([]string{"AWHOST_TLS_DIR"}, fromGoPlugin...)

// Detach prepares one of a plugin's commands so that its process may outlive the plugin and its host: the trainer of a
// launch.
//
//	cmd := exec.Command(python, "-m", "trainer")
//	cmd.Stdout, cmd.Stderr = log, log
//	if err := process.Detach(cmd, req.LaunchID); err != nil { … }
//	err := cmd.Start()
//	go cmd.Wait() // while the plugin runs; afterwards use Alive(identity)
//
// The process gets its own session. Its environment contains the mark of its launch, by which FindMarked finds it
// again, and AWHOST_DETACHABLE=1, so that the run's guard does not end it or its descendants. Call Detach when cmd.Env
// is complete; nil means this process's environment. Output must go to files, because pipes would break when the plugin
// exits.
func Detach(cmd *exec.Cmd, launchID string) error {
	switch {
	case launchID == "" || strings.ContainsRune(launchID, 0):
		return fmt.Errorf("detach %s: invalid launch id %q", cmd.Path, launchID)
	case cmd.SysProcAttr != nil:
		return fmt.Errorf("detach %s: process attributes are set", cmd.Path)
	case cmd.Process != nil:
		return fmt.Errorf("detach %s: already started", cmd.Path)
	case !isFile(cmd.Stdout) || !isFile(cmd.Stderr):
		return fmt.Errorf("detach %s: its output goes through this process and would break when it exits: set a "+
			"file", cmd.Path)
	case cmd.Stdin != nil:
		return fmt.Errorf("detach %s: it reads from this process, and the input would end when it exits", cmd.Path)
	}
	env := parseEnv(cmd.Environ())
	maps.DeleteFunc(env, func(name, _ string) bool { return strings.HasPrefix(name, "PLUGIN_") })
	for _, name := range trainerExcludedEnv {
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

// ErrNoMarks reports that this system does not expose the environment of processes.
var ErrNoMarks = errors.New("finding processes by their mark is not supported on this system")
