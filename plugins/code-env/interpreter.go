package codeenv

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/sdk/private"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/sandbox"
)

//go:embed worker.py
var worker string

// Bounds that the user does not choose.
const (
	// startPatience bounds the start of an interpreter with all its imports.
	startPatience = 2 * time.Minute
	// overtime is what a call gets beyond its time limit, which it is told of inside, before its interpreter is ended.
	overtime = 2 * time.Second
	// inside is where the code finds its folder: the same path in each episode.
	inside = "/work"
)

// setup is the first request to an interpreter.
type setup struct {
	State       string         `json:"state"`
	ShowValue   bool           `json:"show_value"`
	OutputBytes int            `json:"output_bytes"`
	Imports     []string       `json:"imports"`
	Limits      map[string]any `json:"limits"`
}

// opening is the second, which begins an episode.
type opening struct {
	Files map[string]string `json:"files"`
	Seed  uint64            `json:"seed"`
}

// request is a call.
type request struct {
	Code    string  `json:"code"`
	Timeout float64 `json:"timeout"` // seconds
}

// outcome is what became of a call.
type outcome struct {
	Status int    `json:"status"`
	Late   bool   `json:"late"`
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
	Cut    bool   `json:"cut"`
	// lost says why the interpreter ended under the call; empty: it lives.
	lost string
}

// maker starts interpreters.
type maker struct {
	config *config
	python string
	read   []string // what the sandbox shows of it
	folder string   // below which their folders are
	log    *slog.Logger
}

// interpreter is a process of Python with a folder. It serves one episode.
type interpreter struct {
	maker   *maker
	folder  string // the working directory
	running *process.Process
	box     *sandbox.Box // nil: it has none
	in      *os.File
	out     *os.File
	answers *bufio.Reader
	said    lastWords
	end     sync.Once
	report  sandbox.Report
}

// start starts an interpreter in a folder that exists, and waits until it can be asked.
func (m *maker) start(ctx context.Context, folder string) (*interpreter, error) {
	i := &interpreter{maker: m, folder: folder}
	if err := i.launch(ctx); err != nil {
		return nil, err
	}
	c := m.config
	first := setup{
		State: c.State, ShowValue: c.ShowValue, OutputBytes: c.OutputBytes, Imports: c.Imports, Limits: map[string]any{},
	}
	if first.Imports == nil {
		first.Imports = []string{}
	}
	if i.box == nil {
		first.Limits = map[string]any{"RLIMIT_DATA": c.MemoryBytes, "RLIMIT_FSIZE": c.DiskBytes}
	}
	var ready struct {
		Version string            `json:"version"`
		Failed  map[string]string `json:"failed"`
	}
	if lost := i.ask(ctx, first, &ready, startPatience); lost != "" {
		return nil, fmt.Errorf("start %s: %s", m.python, lost)
	}
	for name, why := range ready.Failed {
		i.close()
		return nil, fmt.Errorf("import %s in %s (Python %s): %s: install it there, or take it out of imports",
			name, m.python, ready.Version, why)
	}
	return i, nil
}

func (i *interpreter) launch(ctx context.Context) error {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		closeAll(theirIn, in)
		return err
	}
	defer closeAll(theirIn, theirOut)
	c := i.description()
	c.Stdin, c.Stdout = theirIn, theirOut
	if err = i.fenceIn(&c); err == nil {
		if i.running, err = process.New(c); err == nil {
			err = i.running.Start(ctx)
		}
	}
	if err != nil {
		closeAll(in, out)
		if i.box != nil {
			i.box.Close()
		}
		return err
	}
	if i.box != nil {
		i.box.Started()
	}
	i.in, i.out, i.answers = in, out, bufio.NewReader(out)
	return nil
}

// description is the process of the interpreter, but for its pipes and its sandbox.
func (i *interpreter) description() process.Config {
	return process.Config{
		Name:    "interpreter",
		Command: []string{i.maker.python, "-s", "-u", "-c", worker},
		Dir:     i.folder,
		OnlyEnv: true,
		Env: map[string]string{
			"PATH": os.Getenv("PATH"), "HOME": i.folder, "LANG": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0",
			"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
			"MKL_NUM_THREADS": "1",
		},
		Run:      os.Getenv(process.EnvRun),
		Instance: "interpreter " + filepath.Base(filepath.Dir(i.folder)),
		Log:      i.maker.log,
		Grace:    -1,
		Line:     func(_, line string) { i.said.add(line) },
	}
}

// fenceIn puts the process in its sandbox, where its folder has the same path in each episode.
func (i *interpreter) fenceIn(c *process.Config) (err error) {
	m := i.maker
	if m.config.Sandbox == sandboxNone {
		return nil
	}
	i.box, err = sandbox.New(sandbox.Policy{
		Write: []string{i.folder}, As: map[string]string{i.folder: inside}, Read: m.read,
		Limits: sandbox.Limits{
			Processes: m.config.Processes, MemoryBytes: m.config.MemoryBytes, DiskBytes: m.config.DiskBytes,
		},
	})
	if err != nil {
		return err
	}
	c.Dir = i.box.Path(i.folder)
	c.Env["HOME"], c.Env["TMPDIR"] = c.Dir, "/tmp"
	if c.Dir == i.folder { // /tmp is the machine's, and not shown
		c.Env["TMPDIR"] = c.Dir
	}
	return i.box.Apply(c)
}

// ask sends a request and reads its answer, and otherwise says why the interpreter is lost. It ends one that does not
// answer in time.
func (i *interpreter) ask(ctx context.Context, request, answer any, patience time.Duration) (lost string) {
	line, err := json.Marshal(request)
	if err != nil {
		return err.Error()
	}
	deadline := time.Now().Add(patience)
	if err := errors.Join(i.in.SetWriteDeadline(deadline), i.out.SetReadDeadline(deadline)); err != nil {
		return err.Error()
	}
	stop := context.AfterFunc(ctx, func() {
		_ = i.in.SetWriteDeadline(time.Now()) // it ends the wait, whose error says the rest
		_ = i.out.SetReadDeadline(time.Now())
	})
	defer stop()
	if _, err = i.in.Write(append(line, '\n')); err == nil {
		line, err = readLine(i.answers, i.maker.mostAnswer())
	}
	if err == nil {
		err = json.Unmarshal(line, answer)
	}
	if err == nil {
		return ""
	}
	i.close()
	switch {
	case i.report.Failure != "":
		return i.report.Failure
	case i.report.Excess != "":
		return i.report.Excess
	case ctx.Err() != nil:
		return ctx.Err().Error()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Sprintf("it did not end when its time was up (%s)", patience-overtime)
	}
	return i.death(err)
}

// death says how the process ended.
func (i *interpreter) death(err error) string {
	exit := i.running.Exit()
	text := "it ended: " + err.Error()
	switch {
	case i.report.Ended && i.report.Signal != "":
		text = "it was ended by a signal: " + i.report.Signal
	case i.report.Ended:
		text = fmt.Sprintf("it ended with status %d", i.report.Code)
	case exit != nil && exit.Signal != "" && i.box == nil:
		text = "it was ended by a signal: " + exit.Signal
	case exit != nil && i.box == nil:
		text = fmt.Sprintf("it ended with status %d", exit.Code)
	}
	if words := i.said.String(); words != "" {
		text += ": " + words
	}
	return text
}

// mostAnswer bounds an answer: each byte of both streams may take six in JSON.
func (m *maker) mostAnswer() int { return 16*m.config.OutputBytes + 64<<10 }

func readLine(r *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if line = append(line, part...); len(line) > most {
			return nil, errors.New("its answer is too long")
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return line, err
		}
	}
}

// close ends the process and everything that it has started. The folder stays.
func (i *interpreter) close() {
	i.end.Do(func() {
		select { // one that ends by itself says how
		case <-i.running.Done():
		default:
			i.linger()
		}
		ctx := context.Background() // both are bounded
		if err := i.running.Kill(ctx); err != nil {
			i.maker.log.Warn("an interpreter cannot be ended", "error", err)
		}
		if i.box != nil {
			i.report = i.box.Close()
		} else if instance := "interpreter " + filepath.Base(filepath.Dir(i.folder)); os.Getenv(process.EnvRun) != "" {
			_, _ = process.EndInstances(ctx, os.Getenv(process.EnvRun), func(other string) bool { return other == instance })
		}
		closeAll(i.in, i.out)
	})
}

// linger waits a moment for the end of a process whose output has ended.
func (i *interpreter) linger() {
	if err := i.out.SetReadDeadline(time.Now().Add(time.Millisecond)); err != nil {
		return
	}
	if _, err := i.answers.Peek(1); !errors.Is(err, io.EOF) {
		return
	}
	timer := time.NewTimer(time.Second)
	defer timer.Stop()
	select {
	case <-i.running.Done():
	case <-timer.C:
	}
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// lastWords keeps the last lines of standard error from before the first call.
type lastWords struct {
	mu    sync.Mutex
	lines []string
}

const mostWords = 3

func (w *lastWords) add(line string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, line)
	w.lines = w.lines[max(0, len(w.lines)-mostWords):]
}

// String is all of them on one line.
func (w *lastWords) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.lines, " | ")
}

// newFolder makes the folder of an interpreter, for its user alone.
func (m *maker) newFolder() (string, error) {
	if err := private.MkdirAll(m.folder); err != nil {
		return "", err
	}
	root, err := os.MkdirTemp(m.folder, "")
	if err != nil {
		return "", err
	}
	work := filepath.Join(root, "work")
	return work, os.Mkdir(work, private.Folder)
}
