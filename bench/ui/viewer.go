package main

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

// viewer is a running `awhost ui`.
type viewer struct {
	cmd         *exec.Cmd
	base, token string
}

// start starts a viewer with the existing indexes. began is the time at which its process started.
func (b *bench) start(ctx context.Context) (v *viewer, began time.Time, err error) {
	v = &viewer{cmd: exec.CommandContext(ctx, b.binary, "ui", "--json", "--dir", b.dir)}
	v.cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+b.cache)
	v.cmd.Stderr = os.Stderr
	out, err := v.cmd.StdoutPipe()
	if err != nil {
		return nil, began, err
	}
	began = time.Now()
	if err := v.cmd.Start(); err != nil {
		return nil, began, err
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		return nil, began, errors.Join(errors.New("the viewer says nothing"), v.stop())
	}
	var served struct {
		URL string `json:"url"`
	}
	if err := json.Unmarshal(lines.Bytes(), &served); err != nil {
		return nil, began, errors.Join(err, v.stop())
	}
	v.base, v.token, _ = strings.Cut(served.URL, "/#token=")
	return v, began, nil
}

func (v *viewer) ask(ctx context.Context, path string) (*http.Response, error) {
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

func (v *viewer) get(ctx context.Context, path string) ([]byte, error) {
	response, err := v.ask(ctx, path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(response.Body)
	return text, errors.Join(err, response.Body.Close())
}

// stream is an event stream.
type stream struct {
	body  io.Closer
	lines *bufio.Scanner
}

func (v *viewer) follow(ctx context.Context, path string) (*stream, error) {
	response, err := v.ask(ctx, path)
	if err != nil {
		return nil, err
	}
	return &stream{response.Body, bufio.NewScanner(response.Body)}, nil
}

// await skips events until one of the given kind arrives.
func (s *stream) await(kind string) error {
	for s.lines.Scan() {
		if strings.HasPrefix(s.lines.Text(), "data: ") && strings.Contains(s.lines.Text(), `"`+kind+`"`) {
			return nil
		}
	}
	return errors.Join(errors.New("the viewer closed its stream"), s.lines.Err())
}

func (s *stream) close() { _ = s.body.Close() }

// total returns the total that a response reports across all pages.
func total(answer []byte) int {
	var list struct {
		Total int `json:"total"`
	}
	if json.Unmarshal(answer, &list) != nil {
		return -1
	}
	return list.Total
}

// used returns the process's CPU time in seconds.
func (v *viewer) used() float64 { return processes.CPU(v.cmd.Process.Pid) }

func (v *viewer) peak() int64 { return processes.Peak(v.cmd.Process.Pid) }

func (v *viewer) stop() error {
	return errors.Join(v.cmd.Process.Signal(syscall.SIGTERM), v.cmd.Wait())
}
