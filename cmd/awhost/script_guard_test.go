//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/schema"
)

func init() {
	plays["escaping"] = escaping
	scriptCommands["freezeplugin"] = freezePlugin // freezeplugin ADDRESS: stop the process of a block, without a request
	scriptCommands["killguard"] = killGuard       // killguard: kill -9 the guard of the started program
	scriptCommands["killguarded"] = killGuarded   // killguarded NAME: kill -9 the started program, and its guard, at once
	scriptCommands["killescapees"] = killEscapees // killescapees NAME...: kill the undetectable ones; no others may exist
}

// escaping runs a reward that starts processes that try to outlive all others, or one of these processes.
func escaping() {
	switch {
	case len(os.Args) == 4 && os.Args[1] == "wait":
		if err := os.WriteFile(filepath.Join(os.Args[2], os.Args[3]), nil, 0o644); err != nil {
			os.Exit(1)
		}
		for {
			syscall.Pause()
		}
	case len(os.Args) == 4 && os.Args[1] == "daemon":
		if escape(os.Environ(), "wait", os.Args[2], os.Args[3]) != nil {
			os.Exit(1)
		}
	default:
		sdk.Serve(escapingPlugin())
	}
}

// escape starts an escapee in a new session.
func escape(env []string, arguments ...string) error {
	command := &exec.Cmd{Path: "/proc/self/exe", Args: append([]string{"escaping"}, arguments...), Env: env,
		SysProcAttr: &syscall.SysProcAttr{Setsid: true}}
	if err := command.Start(); err != nil {
		return err
	}
	if arguments[0] == "daemon" {
		return command.Wait()
	}
	return command.Process.Release()
}

func escapingPlugin() sdk.Plugin {
	return sdk.Plugin{Name: "escaping", Version: "1.0.0", Rewards: []sdk.RewardComponent{{
		Component: sdk.Component{Type: "escaping", Description: "Leaves processes behind.", Schema: schema.Block{
			Description: "Leaves processes behind.", Attributes: []schema.Attribute{schema.Path("dir",
				"where they say that they are there").Require()},
		}},
		New: func(_ context.Context, setup sdk.Setup) (sdk.Reward, error) {
			var c struct {
				Dir string `json:"dir"`
			}
			if err := setup.Decode(&c); err != nil {
				return nil, err
			}
			all := os.Environ()
			unmarked := slices.DeleteFunc(slices.Clone(all),
				func(pair string) bool { return strings.HasPrefix(pair, "AWHOST_") })
			for _, e := range []struct {
				how, name string
				env       []string
			}{{"wait", "session", all}, {"daemon", "daemon", all}, {"daemon", "cleared", unmarked}} {
				if err := escape(e.env, e.how, c.Dir, e.name); err != nil {
					return nil, err
				}
			}
			return worthless{}, nil
		},
	}}}
}

func freezePlugin(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 1, "freezeplugin ADDRESS")
	killAllLater(ts)
	for pid, env := range scriptProcesses(ts) {
		if slices.Contains(env, process.EnvInstance+"="+args[0]) {
			ts.Check(syscall.Kill(pid, syscall.SIGSTOP))
			return
		}
	}
	ts.Fatalf("no process serves %s", args[0])
}

func killGuarded(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 1, "killguarded NAME")
	s, guard := find(ts, args[0]), guardOf(ts)
	ts.Check(syscall.Kill(guard, syscall.SIGSTOP)) // otherwise it would detect the other's death in time
	ts.Check(s.cmd.Process.Kill())
	<-s.done
	ts.Check(syscall.Kill(guard, syscall.SIGKILL))
}

func killGuard(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 0, "killguard")
	ts.Check(syscall.Kill(guardOf(ts), syscall.SIGKILL))
}

// guardOf returns the pid of the script's only guard.
func guardOf(ts *testscript.TestScript) int {
	killAllLater(ts)
	for pid := range scriptProcesses(ts) {
		command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if strings.HasSuffix(string(command), "\x00"+guardUse+"\x00") {
			return pid
		}
	}
	ts.Fatalf("there is no guard")
	return 0
}

func killEscapees(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) > 0, "killescapees NAME...")
	var names []string
	for pid := range scriptProcesses(ts) {
		command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		arguments := strings.Split(strings.TrimSuffix(string(command), "\x00"), "\x00")
		names = append(names, arguments[len(arguments)-1])
		ts.Check(syscall.Kill(pid, syscall.SIGKILL))
	}
	slices.Sort(names)
	if !slices.Equal(names, args) {
		ts.Fatalf("%q were left, want %q", names, args)
	}
}

// killAllLater ends the leftovers of a failed script.
func killAllLater(ts *testscript.TestScript) {
	ts.Defer(func() {
		for pid := range scriptProcesses(ts) {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
		}
	})
}
