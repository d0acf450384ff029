package realtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Shim runs the tests for an adapter's Python code, testdata/test_shim.py in the package under test, with the Python
// that variable names and in which the adapter trains. It skips the test if the variable is not set.
func Shim(t *testing.T, variable string) {
	t.Helper()
	python := Python(t, variable)
	var path []string
	for _, dir := range []string{"shim", "../../sdk/python"} {
		dir, err := filepath.Abs(dir)
		if err != nil {
			t.Fatal(err)
		}
		path = append(path, dir)
	}
	cmd := exec.CommandContext(t.Context(), python, "testdata/test_shim.py")
	cmd.Env = append(os.Environ(), "PYTHONPATH="+strings.Join(path, string(os.PathListSeparator)),
		"PYTHONDONTWRITEBYTECODE=1", "RAY_USAGE_STATS_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "OK") {
		t.Errorf("%v\n%s", err, out)
	}
}
