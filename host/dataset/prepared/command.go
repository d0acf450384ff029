package prepared

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/internal/wholefile"
	"github.com/awhost/awhost/sdk/process"
)

// maxRowBytes limits a row, like a line of a file of rows.
const maxRowBytes = 64 << 20

// drainTime is the time limit for reading the remaining output of a program that has exited.
const drainTime = time.Second

// command returns a maker that runs a program. Its basis consists of the program's file, the command's arguments, and
// the files that they name.
func (s Store) command(config dataset.Config) (maker, error) {
	words := slices.Clone(config.Command)
	program, err := s.program(words[0])
	if err != nil {
		return maker{}, err
	}
	basis := map[string]string{}
	for i, word := range words {
		name := fmt.Sprintf("argument %d", i)
		path := s.place(word)
		if i == 0 {
			name, path = "the program", program
		}
		basis[name] = word
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if basis[name+" ("+filepath.Base(path)+")"], err = wholefile.Digest(path); err != nil {
			return maker{}, wrong("command", err.Error(), "name files that can be read")
		}
	}
	words[0] = program
	return maker{
		of: strings.Join(config.Command, " "), basis: basis,
		rows: func(ctx context.Context, log *slog.Logger, yield func([]byte) error) error {
			return s.run(ctx, words, config.PassEnv, log, yield)
		},
	}, nil
}

// program returns the path of a program: found in PATH, or relative to the spec if its name contains a slash.
func (s Store) program(name string) (string, error) {
	if !strings.ContainsRune(name, filepath.Separator) {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", wrong(
				"command",
				fmt.Sprintf("program %q is not on PATH", name),
				"install it, or write its path, ./"+name,
			)
		}
		return filepath.Abs(path)
	}
	path := s.place(name)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", wrong(
			"command",
			fmt.Sprintf("program %s does not exist", path),
			"relative paths start at the directory of the spec",
		)
	case !info.Mode().IsRegular() || info.Mode()&0o111 == 0:
		return "", wrong("command", path+" cannot be executed", "run chmod +x on it, or name its interpreter first")
	}
	return path, nil
}

// run runs a program until it exits. Each line of the program's output is a row.
func (s Store) run(ctx context.Context, command, passEnv []string, log *slog.Logger, yield func([]byte) error) error {
	out, outside, err := os.Pipe()
	if err != nil {
		return err
	}
	defer out.Close()
	running, err := s.start(ctx, command, passEnv, log, outside)
	outside.Close()
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = running.Kill(context.Background()) }) // this also closes the pipe
	defer stop()
	ended := make(chan error, 1)
	go func() { // ends with the program
		<-running.Done()
		ended <- running.Kill(context.Background())        // its leftover processes
		_ = out.SetReadDeadline(time.Now().Add(drainTime)) // processes outside its group may hold the pipe
	}()
	read := readRows(out, yield)
	if read != nil {
		_ = running.Kill(context.Background()) // its output is no longer read
	}
	err = <-ended
	exit := running.Exit()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case read != nil:
		return wrong("command", strings.Join(command, " ")+": "+read.Error(),
			"print one JSON object per line, and everything else on standard error")
	case exit != nil && exit.Code != 0:
		return wrong("command", exit.Error(), "run it by hand in "+s.SpecDir)
	}
	return err
}

// start starts a program without input and connects its output to a pipe.
func (s Store) start(
	ctx context.Context, command, passEnv []string, log *slog.Logger, out *os.File,
) (*process.Process, error) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	running, err := process.New(process.Config{
		Name: filepath.Base(command[0]), Command: command, Dir: s.SpecDir, PassEnv: passEnv,
		Stdin: null, Stdout: out, Log: log, Grace: -1,
	})
	if err == nil {
		err = running.Start(ctx)
	}
	if err != nil {
		return nil, wrong("command", err.Error(), "correct it")
	}
	return running, nil
}

// readRows reads rows and checks that each one is an object.
func readRows(out io.Reader, yield func([]byte) error) error {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, maxRowBytes)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		if line[0] != '{' || !json.Valid(line) {
			return fmt.Errorf("line %d of the output is not a JSON object: %s", n, beginning(line))
		}
		if err := yield(line); err != nil {
			return err
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("a line of the output is longer than %d MiB", maxRowBytes>>20)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil // the program has exited
	default:
		return err
	}
}

// beginning quotes the first bytes of a string.
func beginning(text []byte) string {
	const most = 60
	if len(text) > most {
		return fmt.Sprintf("%q…", text[:most])
	}
	return fmt.Sprintf("%q", text)
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
