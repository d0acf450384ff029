package tracking

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/sdk/process"
)

// Trackers maps the names of the tracker packages for Python to display names.
var Trackers = map[string]string{"wandb": "W&B", "swanlab": "SwanLab", "mlflow": "MLflow"}

// passed lists the prefixes of environment variables that configure trackers and their connections.
var passed = []string{
	"WANDB_", "SWANLAB_", "MLFLOW_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
}

// startPython starts a process with the user's Python.
func startPython(ctx context.Context, config process.Config) (*process.Piped, error) {
	config.PassEnv, config.Grace = slices.Concat(config.PassEnv, variables()), -1
	return process.StartPiped(ctx, config)
}

// variables returns the names of the environment variables that configure trackers.
func variables() []string {
	var out []string
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		if slices.ContainsFunc(passed, func(beginning string) bool { return strings.HasPrefix(name, beginning) }) {
			out = append(out, name)
		}
	}
	return out
}

// lacking is a Python program that prints which of the packages in its arguments are missing.
const lacking = `import importlib.util, json, sys
sys.path = [folder for folder in sys.path if folder]
print(json.dumps([name for name in sys.argv[1:] if importlib.util.find_spec(name) is None]))`

// lackingTimeout is the maximum time for listing a Python environment's missing packages.
const lackingTimeout = time.Minute

// Lacking returns the trackers whose packages are not installed in a Python environment. It returns an error if Python
// cannot be run.
func Lacking(ctx context.Context, python string, passEnv, trackers []string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, lackingTimeout)
	defer cancel()
	running, err := startPython(ctx, process.Config{
		Name: python, Instance: "tracking", Run: "plan", PassEnv: passEnv,
		Command: slices.Concat([]string{python, "-c", lacking}, trackers),
	})
	if err != nil {
		return nil, err
	}
	defer func() { _ = running.Kill(context.Background()) }()
	defer running.In.Close()
	defer running.Out.Close()
	defer context.AfterFunc(ctx, func() { _ = running.Kill(context.Background()) })()
	said, reading := io.ReadAll(running.Out)
	<-running.Done()
	var names []string
	switch exit := running.Exit(); {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("no answer for %s", lackingTimeout)
	case exit != nil && exit.Code != 0:
		return nil, errors.New(exit.Error())
	case reading != nil:
		return nil, reading
	}
	if err := json.Unmarshal(said, &names); err != nil {
		return nil, fmt.Errorf("unexpected answer %q: not a Python interpreter", said)
	}
	return names, nil
}
