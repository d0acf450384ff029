//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/awhost/awhost/internal/envworld"
	"github.com/awhost/awhost/internal/hubtest"
	"github.com/awhost/awhost/internal/testlevel"
)

// The scripts in testdata/script run the real program and real plugin processes. The test binary acts as all of them:
//
//	awhost             this program
//	/proc/self/exe     how awhost starts its bundled plugins
//	plugins/NAME       a plugin of a spec, see plays: well-behaved or not
//
// Each script has its own directory with quick (a spec that trains in two seconds), gated (the same with a gate) and
// plugins, and the commands of script_commands_test.go and script_processes_test.go.
func TestMain(m *testing.M) {
	program := filepath.Base(os.Args[0])
	if program == "exe" || program == "awhost" {
		main()
	}
	if play, ok := plays[program]; ok {
		play()
		os.Exit(0)
	}
	testlevel.Parallel(6)
	testscript.Main(testlevel.InMemory(m), map[string]func(){"awhost": main})
}

func TestScripts(t *testing.T) {
	if !raceDetector || testlevel.Slow() {
		playScripts(t, glob(t, "testdata/script/*.txtar"))
		return
	}
	var files []string
	for _, name := range concurrent {
		files = append(files, filepath.Join("testdata", "script", name+".txtar"))
	}
	playScripts(t, files)
}

// The scripts in testdata/script/raced cost 4 to 15 CPU-seconds each: users and processes interrupt, kill and
// overtake each other repeatedly. They always run with the race detector. Without it, go test ./... runs the cheaper
// scripts of this kind, which are listed in concurrent.
func TestRacedScripts(t *testing.T) {
	if !raceDetector {
		testlevel.NeedSlow(t, "these scripts cost 75 CPU-seconds, and go test -race plays them")
	}
	playScripts(t, glob(t, "testdata/script/raced/*.txtar"))
}

// The scripts in testdata/script/slow cost 5 to 100 CPU-seconds each, mostly for training and builds.
func TestSlowScripts(t *testing.T) {
	testlevel.NeedSlow(t, "these scripts cost 450 CPU-seconds")
	playScripts(t, glob(t, "testdata/script/slow/*.txtar"))
}

// The scripts in testdata/script/long train several times.
func TestLongScripts(t *testing.T) {
	testlevel.NeedAll(t, "these scripts cost 310 CPU-seconds")
	playScripts(t, glob(t, "testdata/script/long/*.txtar"))
}

// mcpServersVariable names the folder created by .ci/mcp-servers: third-party MCP servers and clients.
const mcpServersVariable = "AWHOST_MCP_SERVERS"

// The scripts in testdata/script/mcp have agents that use their tools through third-party MCP clients.
func TestOtherMCPClients(t *testing.T) {
	if os.Getenv(mcpServersVariable) == "" {
		t.Skipf("SKIPPED: %s does not name the folder that .ci/mcp-servers makes", mcpServersVariable)
	}
	playScripts(t, glob(t, "testdata/script/mcp/*.txtar"))
}

// observersVariable names the folder created by .ci/observers: a Prometheus, and an OpenTelemetry collector.
const observersVariable = "AWHOST_OBSERVERS"

// The scripts in testdata/script/observed have runs that monitoring programs watch.
func TestObservers(t *testing.T) {
	if os.Getenv(observersVariable) == "" {
		t.Skipf("SKIPPED: %s does not name the folder that .ci/observers makes", observersVariable)
	}
	playScripts(t, glob(t, "testdata/script/observed/*.txtar"))
}

func playScripts(t *testing.T, files []string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files:               files,
		Cmds:                scriptCommands,
		Setup:               func(e *testscript.Env) error { return setUp(e, self) },
		Condition:           condition,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// concurrent lists the scripts that the race detector checks without AWHOST_SLOW, in addition to raced: processes and
// users interrupt, kill and overtake each other. In the other scripts one command follows another, on the same paths.
var concurrent = []string{
	"apply", "eval", "failures", "flood_output", "play", "plugin_hangs", "plugin_mute", "plugin_test", "score",
}

// condition reports whether reference data exists, whether the race detector, which slows training, is on, whether a
// Python with the SDK's dependencies exists, and whether AWHOST_SLOW is set.
func condition(name string) (bool, error) {
	switch name {
	case "testdata":
		return os.Getenv("AWHOST_TESTDATA") != "", nil
	case "race":
		return raceDetector, nil
	case "slow":
		return testlevel.Slow(), nil
	case "sdkpython":
		return os.Getenv(sdkPythonVariable) != "", nil
	}
	return false, fmt.Errorf("there is no condition %q", name)
}

// setUp gives a script its home directory, its plugins and the quick spec.
func setUp(e *testscript.Env, self string) error {
	// Short, because paths of unix sockets are limited. Plugins inherit it, so it identifies a script's processes.
	runtimeDir, err := os.MkdirTemp("", "aw")
	if err != nil {
		return err
	}
	e.Defer(func() { _ = os.RemoveAll(runtimeDir) })
	e.Setenv(envRuntimeDir, runtimeDir)
	e.Values[startedKey] = map[string]*started{}
	e.Values[hubKey] = new(*hubtest.Hub)
	e.Values[worldKey] = new(*envworld.World)
	e.Values[collectorKey] = new(*spanCollector)
	e.Values[observersKey] = new(observers)
	e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
	e.Setenv("NO_COLOR", "1")
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOFLAGS", "GOPROXY", "GOROOT"} { // for building plugins
		if value := goEnv()[name]; value != "" {
			e.Setenv(name, value)
		}
	}
	e.Setenv("GORACE", os.Getenv("GORACE"))
	e.Setenv(mcpServersVariable, os.Getenv(mcpServersVariable))
	e.Setenv(debuggersVariable, os.Getenv(debuggersVariable))
	e.Setenv(trackersVariable, os.Getenv(trackersVariable))
	e.Setenv(sdkPythonVariable, os.Getenv(sdkPythonVariable))
	sdk, err := filepath.Abs("../../sdk/python")
	if err != nil {
		return err
	}
	e.Setenv("AWHOST_SDK", sdk)
	plugins := filepath.Join(e.WorkDir, "plugins")
	if err := os.MkdirAll(plugins, 0o755); err != nil {
		return err
	}
	for name := range plays {
		if err := os.Symlink(self, filepath.Join(plugins, name)); err != nil {
			return err
		}
	}
	for _, dir := range []string{"quick", "gated"} {
		if err := os.CopyFS(filepath.Join(e.WorkDir, dir), os.DirFS(filepath.Join("testdata", dir))); err != nil {
			return err
		}
	}
	return os.Mkdir(filepath.Join(e.WorkDir, "gated", "gate"), 0o755)
}

// envRuntimeDir names the parent of socket directories.
const envRuntimeDir = "XDG_RUNTIME_DIR"

// lines returns the nonempty lines of a text.
func lines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}
