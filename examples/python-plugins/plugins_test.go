// Package pythonplugins_test checks that plugins written with the Python SDK conform to the protocol.
// AWHOST_SDK_PYTHON names a Python with grpcio and protobuf. Without it the tests are skipped.
package pythonplugins_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/conformance"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

const variable = "AWHOST_SDK_PYTHON"

// plugin returns the command of a plugin, and the environment in which it finds this tree's SDK.
func plugin(t testing.TB, file string) (command []string, env map[string]string) {
	t.Helper()
	python := os.Getenv(variable)
	if python == "" {
		t.Skipf("SKIPPED: set %s to a Python that has grpcio and protobuf; .ci/run makes one", variable)
	}
	var paths []string
	for _, path := range []string{file, "../../sdk/python"} {
		absolute, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, absolute)
	}
	folder, module := filepath.Split(strings.TrimSuffix(paths[0], ".py"))
	return []string{python, "-c", "from " + module + " import main; main()"},
		map[string]string{"PYTHONPATH": folder + string(os.PathListSeparator) + paths[1], "PYTHONDONTWRITEBYTECODE": "1"}
}

func TestPythonSDK_PluginsConform(t *testing.T) {
	for name, files := range map[string][2]string{
		"reward":      {"reward/plugin.py", "reward/conformance.json"},
		"environment": {"environment/plugin.py", "environment/conformance.json"},
		"agent":       {"agent/plugin.py", "agent/conformance.json"},
		"specimen":    {"../../sdk/python/tests/sdk_specimen.py", "../../sdk/python/tests/sdk_specimen.json"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command, env := plugin(t, files[0])
			conformance.Run(t, conformance.Config{Command: command, Env: env, Fixtures: files[1]})
		})
	}
}

// BenchmarkPythonSDK_Start measures the time from the start of a process to its answer to the first health check.
//
//	AWHOST_SDK_PYTHON=… go test -run - -bench Start -benchtime 10x ./examples/python-plugins
func BenchmarkPythonSDK_Start(b *testing.B) {
	command, env := plugin(b, "reward/plugin.py")
	env["PYTHONDONTWRITEBYTECODE"] = "" // installed packages are compiled, too
	dir, err := process.NewSocketDir()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = process.RemoveSocketDir(dir) })
	authority, err := mtls.NewAuthority()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		p, err := client.Start(b.Context(), client.Config{Name: "bench", Run: "bench", Command: command, Env: env,
			Authority: authority, SocketDir: dir})
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		p.Kill()
		b.StartTimer()
	}
}
