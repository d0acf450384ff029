// Package viewer starts `awhost ui` and makes the requests of its page.
//
//	v, err := viewer.Start(ctx, program, dir, cache)
//	defer v.Stop()
//	text, err := v.Get(ctx, "/api/runs")
package viewer

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/awhost/awhost/internal/processes"
)

// Viewer is a running `awhost ui`.
type Viewer struct {
	Began time.Time // when its process was started

	cmd         *exec.Cmd
	base, token string
}

// Start starts a viewer of the runs in dir, with the indexes in the cache directory.
func Start(ctx context.Context, program, dir, cache string) (*Viewer, error) {
	v := &Viewer{cmd: exec.CommandContext(ctx, program, "ui", "--json", "--dir", dir)}
	v.cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+cache)
	v.cmd.Stderr = os.Stderr
	out, err := v.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	v.Began = time.Now()
	if err := v.cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		return nil, errors.Join(errors.New("the viewer says nothing"), v.Stop())
	}
	var served struct {
		URL string `json:"url"`
	}
	if err := json.Unmarshal(lines.Bytes(), &served); err != nil {
		return nil, errors.Join(err, v.Stop())
	}
	v.base, v.token, _ = strings.Cut(served.URL, "/#token=")
	return v, nil
}

func (v *Viewer) ask(ctx context.Context, path string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, v.base+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+v.token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 1<<10)) // only used in the error
		return nil, errors.Join(fmt.Errorf("%s: %s: %s", path, response.Status, text), response.Body.Close())
	}
	return response, nil
}

// Get returns the response to a request.
func (v *Viewer) Get(ctx context.Context, path string) ([]byte, error) {
	response, err := v.ask(ctx, path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(response.Body)
	return text, errors.Join(err, response.Body.Close())
}

// Stream is an event stream.
type Stream struct {
	body  io.Closer
	lines *bufio.Scanner
}

// Follow opens an event stream.
func (v *Viewer) Follow(ctx context.Context, path string) (*Stream, error) {
	response, err := v.ask(ctx, path)
	if err != nil {
		return nil, err
	}
	return &Stream{response.Body, bufio.NewScanner(response.Body)}, nil
}

// Await skips events until one of the given kind arrives.
func (s *Stream) Await(kind string) error {
	for s.lines.Scan() {
		if strings.HasPrefix(s.lines.Text(), "data: ") && strings.Contains(s.lines.Text(), `"`+kind+`"`) {
			return nil
		}
	}
	return errors.Join(errors.New("the viewer closed its stream"), s.lines.Err())
}

// Close closes the stream.
func (s *Stream) Close() { _ = s.body.Close() }

// Used returns the process's CPU time in seconds.
func (v *Viewer) Used() float64 { return processes.CPU(v.cmd.Process.Pid) }

// Peak returns the process's peak resident memory in bytes.
func (v *Viewer) Peak() int64 { return processes.Peak(v.cmd.Process.Pid) }

// Stop stops the process.
func (v *Viewer) Stop() error {
	return errors.Join(v.cmd.Process.Signal(syscall.SIGTERM), v.cmd.Wait())
}
