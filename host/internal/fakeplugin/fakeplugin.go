// Package fakeplugin provides plugins for host tests: a trainer whose weights are a digest of its training data, and an
// environment, rewards, and an agent for addition tasks. Each works correctly until the spec makes it exit, fail, or
// misbehave at a certain moment.
//
// A test binary runs them all, as separate processes:
//
//	func TestMain(m *testing.M) {
//		fakeplugin.Main() // does not return in a plugin
//		goleak.VerifyTestMain(m)
//	}
//
//	c, err := fakeplugin.Catalog(dir) // for spec.Load and plan.Make
//
//	adapter "scripted" "trainer" {
//		control = "control"                      // a directory with a record of past events
//		die     = ["update 2", "announced 3"]    // each kills its process once
//	}
//
// Processes are killed with SIGKILL. Because the trainer's digest covers every reward, chain, and slot in order, two
// runs with equal digests have trained on the same data.
//
// The package is for tests only. It must not depend on what the tests check.
package fakeplugin

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// role is the argument that makes a test binary run as a plugin.
const role = "scripted-plugin"

// Main runs the plugin if the process was started as one.
func Main() {
	if len(os.Args) == 2 && os.Args[1] == role {
		sdk.Serve(asPlugin())
	}
	if len(os.Args) == 3 && os.Args[1] == outsideRole {
		if err := trainOutside(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	for name, value := range environ {
		_ = os.Setenv(name, value) // fails only for invalid names
	}
}

// environ is for plugin binaries built with the race detector, which would otherwise sleep for a second at exit.
var environ = map[string]string{"GORACE": "atexit_sleep_ms=0"}

// PassEnv returns the names of the environment variables to pass to plugins.
func PassEnv() []string { return slices.Collect(maps.Keys(environ)) }

// asPlugin returns the plugin with all components.
func asPlugin() sdk.Plugin {
	return sdk.Plugin{
		Name: "scripted", Version: "1.0.0",
		Adapters:     []sdk.AdapterComponent{trainerComponent(), outlivingComponent()},
		Environments: []sdk.EnvironmentComponent{deskComponent(), keyedComponent()},
		Rewards:      rewardComponents(),
		Agents:       agentComponents(),
	}
}

// content replaces the content hash of the plugin in the catalog, see Catalog.
const content = "sha256:scripted"

// Catalog returns a catalog with the plugin and with another plugin, "broken", that has a reward whose program exits
// immediately. hash replaces content if it is not empty.
func Catalog(dir, hash string) (*catalog.Catalog, error) {
	if hash == "" {
		hash = content
	}
	broken := sdk.Plugin{Name: "broken", Version: "1.0.0", Rewards: []sdk.RewardComponent{{
		Component: sdk.Component{Type: "broken", Description: "Does not start."},
	}}}
	return catalog.Open(catalog.Config{
		SpecDir: dir, StateDir: filepath.Join(dir, ".awhost"), KeyDir: filepath.Join(dir, ".key"),
		Bundled: map[string]catalog.Bundled{
			"scripted": {Description: asPlugin().Describe(), Command: []string{os.Args[0], role}, Hash: hash},
			"broken":   {Description: broken.Describe(), Command: []string{"/bin/false"}, Hash: hash},
		},
	})
}

// script holds the settings shared by all components.
type script struct {
	Control string   `json:"control"`
	Die     []string `json:"die"`
	Always  []string `json:"die_always"`
	Host    []string `json:"kill_host"`
	Adapter []string `json:"kill_adapter"`
	Wait    []string `json:"wait"`
	Token   string   `json:"token"`

	killHost, killAdapter func() // nil: this process is the adapter, and a child of the host
}

// scriptAttributes returns attributes that are not part of a run's identity, so that it can be resumed with another
// script.
func scriptAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.Path("control", "Directory in which deaths are noted.").CanResume(),
		schema.Strings("die", "Moments at which the process dies, once each.").CanResume(),
		schema.Strings("die_always", "Moments at which every process dies.").CanResume(),
		schema.Strings("kill_host", "Moments at which it kills the host, which has to be its parent, once each.").CanResume(),
		schema.Strings("kill_adapter", "Moments at which a trainer in a separate process kills its adapter, once "+
			"each.").CanResume(),
		schema.Strings("wait", "Moments at which it waits for a file `go MOMENT` in control.").CanResume(),
		schema.String("token", "A secret, told to everybody who logs.").Secret().CanResume(),
	}
}

// at kills or pauses the process if the script says so.
func (s *script) at(moment string) {
	if slices.Contains(s.Wait, moment) {
		s.wait(filepath.Join(s.Control, Go(moment)))
	}
	for _, m := range s.Host {
		if m == moment && s.once("host died "+moment) {
			if s.killHost != nil {
				s.killHost()
				continue
			}
			_ = syscall.Kill(os.Getppid(), syscall.SIGKILL)
			select {} // this process ends with the host
		}
	}
	for _, m := range s.Adapter {
		if m == moment && s.killAdapter != nil && s.once("adapter died "+moment) {
			s.killAdapter()
		}
	}
	for _, m := range s.Always {
		if m == moment {
			die()
		}
	}
	for _, m := range s.Die {
		if m == moment && s.once("died "+moment) {
			die()
		}
	}
}

// Go returns the name of the file in control that ends the wait at the given moment.
func Go(moment string) string { return "go " + moment }

func (s *script) wait(path string) {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if _, err := os.Stat(path); err == nil {
			return
		}
	}
}

// once reports whether an event happens for the first time, in this process or any other.
func (s *script) once(what string) bool {
	f, err := os.OpenFile(filepath.Join(s.Control, what), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return false
	}
	_ = f.Close() // empty
	return true
}

// Answers is the name of the file in control to which a trainer writes the host's errors, one per line.
const Answers = "answers"

// Unavailable is the line in that file for a host that has exited or is exiting.
const Unavailable = "unavailable"

// note adds a line to a file in control.
func (s *script) note(file, line string) {
	f, err := os.OpenFile(filepath.Join(s.Control, file), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return // the test has removed the directory
	}
	_, _ = f.WriteString(line + "\n")
	_ = f.Close()
}

func die() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {} // until the signal arrives
}
