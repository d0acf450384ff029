package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/url"
	"os/exec"
	"sync"

	"github.com/awhost/awhost/bench/internal/program"
	"github.com/awhost/awhost/internal/processes"
)

// server is the serving process.
type server struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	url *url.URL

	mu  sync.Mutex
	out *bufio.Scanner
}

func start(ctx context.Context, o options, kind string) (*server, error) {
	args := []string{"-serve", kind, "-latency", o.latency.String()}
	if kind == servesGateway && o.profile != "" {
		args = append(args, "-profile", o.profile)
	}
	cmd, err := program.Self(ctx, args...)
	if err != nil {
		return nil, err
	}
	s := &server{cmd: cmd}
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	s.out = bufio.NewScanner(out)
	if !s.out.Scan() {
		return nil, errors.Join(errors.New("the serving process printed nothing"), s.stop())
	}
	s.url, err = url.Parse(s.out.Text())
	return s, err
}

// grant requests an episode's key.
func (s *server) grant() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := io.WriteString(s.in, "grant\n"); err != nil {
		return "", err
	}
	if !s.out.Scan() {
		return "", errors.New("the serving process has exited")
	}
	return s.out.Text(), nil
}

func (s *server) end(key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := io.WriteString(s.in, "end "+key+"\n")
	return err
}

func (s *server) stop() error {
	closed := s.in.Close()
	return errors.Join(closed, s.cmd.Wait())
}

// used returns the CPU time that the process has used so far.
func (s *server) used() float64 { return processes.CPU(s.cmd.Process.Pid) }

// peak returns the process's peak resident memory.
func (s *server) peak() int64 { return processes.Peak(s.cmd.Process.Pid) }
