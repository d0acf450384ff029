// Package interpreter owns a Python process that runs user code: it starts the process, makes calls to it, and ends it.
//
// Calls and responses are JSON lines sent over two separate pipes, so that standard output belongs to the user's code.
// The Python side is in py and uses only the standard library. It is sent to the process as source text, so that
// nothing has to be installed or written.
//
//	p, err := interpreter.Start(ctx, interpreter.Config{Python: "/usr/bin/python3", Name: "python rewards.py", Log: log})
//	answer, err := p.Call(ctx, "load_reward", []byte(`"path":"/x/rewards.py","name":"score",…`))
//	defer p.Kill()
//
// The user's code may do anything: hang, exit, crash, close descriptors, write 100 MB. A call then ends with an
// error, and the process is ended with everything that it has started. The caller can start another one. The package
// does not depend on rewards, agents or awhost's plugins.
package interpreter

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/python"
)

// Config selects the Python interpreter to start. Python and Name are required.
type Config struct {
	Python string       // the program
	Name   string       // for messages: "python rewards.py"
	Dir    string       // working directory; this process's when empty
	Log    *slog.Logger // receives the output of the user's code
	Env    map[string]string
	// Isolated excludes the user's environment: no site-packages, no PYTHON* variables. It is meant for checking files
	// without running them.
	Isolated bool
	// PassEnv lists this process's variables that the user's code receives in addition to the harmless ones. nil means
	// all variables of this process except the plugin's own ones (PLUGIN_*, AWHOST_*).
	PassEnv []string
}

// Bounds of a process.
const (
	startTimeout = 30 * time.Second // a network file system may be slow
	queuedCalls  = 256              // lines waiting to be written
	logBytes     = 64 << 20         // of the user's output that is kept, per process
)

// Interpreter is one Python process. Its methods may be called from several goroutines.
type Interpreter struct {
	// Version and Executable are reported by the process. They identify the actual Python interpreter behind a shim.
	Version, Executable string

	process *process.Process
	lines   chan []byte // for the writer
	pipes   *pipes
	workers sync.WaitGroup

	mu      sync.Mutex
	last    int64
	waiting map[int64]chan Answer
	asking  map[int64]func(Ask) // by call, for calls started by Converse
	broken  error               // the reason why no call can be answered anymore
	done    chan struct{}       // closed with broken
}

// Answer is the result of an operation, or its error.
type Answer struct {
	OK  json.RawMessage
	Err error // *Refusal, or an error that wraps ErrExited
}

// ErrExited reports that the process has ended or has written invalid output.
var ErrExited = errors.New("the interpreter has exited")

// Refusal is an error in the user's code, or a driver error about it.
type Refusal struct {
	Attribute string   `json:"attribute"` // the spec's attribute with the error; may be empty
	Summary   string   `json:"summary"`
	Detail    string   `json:"detail"` // several lines: a traceback
	Kinds     []string `json:"kinds"`  // names of the exception's classes, with and without their modules
	Late      bool     `json:"late"`   // it exceeded its time limit and was cancelled
}

// Error implements error.
func (r *Refusal) Error() string {
	if r.Detail == "" {
		return r.Summary
	}
	return r.Summary + "\n" + r.Detail
}

//go:embed py/*.py
var sources embed.FS

// parts lists the driver's modules in loading order.
var parts = []string{
	"driver", "loading", "debug", "ajet", "trl", "check", "judge", "reward", "watch", "agent", "tuner", "workflow", "rows",
}

// bootCode reads the driver from the first pipe and runs it. It can be parsed by any Python version, so that it can
// reject old versions by name.
const bootCode = `import sys
if sys.version_info < (3, 8):
    sys.exit("awhost needs Python 3.8 or newer; %s is %s" % (sys.executable, sys.version.split()[0]))
sys.path[:] = [p for p in sys.path if p]
import faulthandler, json, os, types
faulthandler.enable()
head = b""
while head[-1:] != b"\n":
    head += os.read(3, 1) or os._exit(3)
size, text = int(head), b""
while len(text) < size:
    text += os.read(3, size - len(text)) or os._exit(3)
for name, source in json.loads(text.decode("utf-8")):
    module = types.ModuleType("_awhost_" + name)
    module.__file__ = "<awhost " + name + ">"
    sys.modules[module.__name__] = module
    exec(compile(source, module.__file__, "exec"), module.__dict__)
sys.modules["_awhost_driver"].main()
`

// program is the driver's source text for boot.
var program = sync.OnceValues(func() ([]byte, error) {
	modules := [][2]string{{"debugging", python.Debugging}}
	for _, part := range parts {
		text, err := fs.ReadFile(sources, "py/"+part+".py")
		if err != nil {
			return nil, err
		}
		modules = append(modules, [2]string{part, string(text)})
	}
	text, err := json.Marshal(modules)
	return append(fmt.Appendf(nil, "%d\n", len(text)), text...), err
})

// Start starts Python and waits until its driver is ready. ctx limits only the start.
func Start(ctx context.Context, config Config) (*Interpreter, error) {
	text, err := program()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout,
		fmt.Errorf("start %s: %s did not respond within %s; check that it is Python", config.Name, config.Python,
			startTimeout))
	defer cancel()
	i := &Interpreter{lines: make(chan []byte, queuedCalls), waiting: map[int64]chan Answer{},
		asking: map[int64]func(Ask){}, done: make(chan struct{})}
	hello := i.addWaiting(0)
	if err := i.launch(ctx, config); err != nil {
		return nil, err
	}
	i.lines <- text
	select {
	case answer := <-hello:
		return i, i.parseGreeting(answer)
	case <-ctx.Done():
		i.Kill()
		return nil, context.Cause(ctx)
	}
}

// parseGreeting parses the driver's first line.
func (i *Interpreter) parseGreeting(answer Answer) error {
	err := answer.Err
	if err == nil {
		var about struct{ Version, Executable string }
		err = json.Unmarshal(answer.OK, &about)
		i.Version, i.Executable = about.Version, about.Executable
	}
	if err != nil {
		i.Kill()
	}
	return err
}

func (i *Interpreter) launch(ctx context.Context, config Config) error {
	pipes, err := newPipes()
	if err != nil {
		return fmt.Errorf("start %s: %w", config.Name, err)
	}
	passEnv := config.PassEnv
	if passEnv == nil {
		passEnv = userEnviron(os.Environ())
	}
	defer pipes.closeChildEnds()
	i.pipes = pipes
	i.process, err = process.New(process.Config{
		Name: config.Name, Instance: instance(config.Name), Run: os.Getenv(process.EnvRun), Command: command(config),
		Dir: config.Dir, PassEnv: passEnv, Env: config.Env,
		ExtraFiles: pipes.childEnds(), Log: config.Log, Grace: -1, Limits: process.Limits{LogBytes: logBytes},
	})
	if err == nil {
		err = i.process.Start(ctx)
	}
	if err != nil {
		pipes.closeOwnEnds()
		return err
	}
	i.workers.Go(i.write)
	i.workers.Go(i.read)
	i.workers.Go(i.watch)
	return nil
}

func command(config Config) []string {
	flags := []string{"-u"}
	if config.Isolated {
		flags = append(flags, "-I", "-S")
	}
	return append(append([]string{config.Python}, flags...), "-c", bootCode)
}

// instance returns the name by which processes left over from this one are identified: the plugin's name and this
// process's name.
func instance(name string) string {
	if own := os.Getenv(process.EnvInstance); own != "" {
		return own + " (" + name + ")"
	}
	return name
}

// userEnviron returns the names of the variables that the user's code gets: all that the host passed to this plugin,
// without the ones that make it a plugin.
func userEnviron(environ []string) []string {
	var names []string
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		if name == "" || strings.HasPrefix(name, "PLUGIN_") || strings.HasPrefix(name, "AWHOST_") {
			continue
		}
		names = append(names, name)
	}
	return names
}

// Kill ends the process with its process group and answers all waiting calls. It returns when the process has ended,
// and may be called more than once.
func (i *Interpreter) Kill() {
	i.fail(fmt.Errorf("%w: it was ended", ErrExited))
	_ = i.process.Kill(context.Background()) // bounded; the kernel may keep a process longer
	i.pipes.closeOwnEnds()
	i.workers.Wait()
}

// Done returns a channel that is closed when calls can no longer be answered.
func (i *Interpreter) Done() <-chan struct{} { return i.done }
