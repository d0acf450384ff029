package catalog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/host/catalog/internal/archive"
	"github.com/awhost/awhost/host/internal/child"
	"github.com/awhost/awhost/host/internal/wholefile"
)

const (
	// buildTimeout limits `go build`, which may download modules, and compiles hundreds of packages if the machine's
	// build cache is empty.
	buildTimeout = 30 * time.Minute
	// keptBuilds is the number of earlier builds of a source that are kept: an active run restarts its plugins from the
	// build that it started with.
	keptBuilds = 4
	// staleAfter is the age after which files left by a killed process are removed.
	staleAfter = 2 * buildTimeout
)

// build compiles the package in dir and returns the program, whose name contains its content hash. Go's cache makes an
// unchanged build cheap, and go build detects changes outside the directory: replaced modules, workspaces, embedded
// files.
func (c *Catalog) build(ctx context.Context, name, dir string, known product) (string, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return "", fmt.Errorf("building the Go package %s requires the go command, which is not in PATH: install Go from "+
			"https://go.dev/dl, or use a program as the source", dir)
	}
	home := c.pluginDir(name)
	if err := os.MkdirAll(home, 0o755); err != nil {
		return "", err
	}
	defer sweep(home, name)
	scratch, err := os.MkdirTemp(home, temporary)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(scratch)
	fresh := filepath.Join(scratch, name)
	if err := reuse(known, fresh); err != nil {
		return "", err
	}
	if known.Program != "" {
		if err := build(ctx, dir, fresh); err != nil { // mostly from Go's cache
			return "", err
		}
		return keep(fresh, home, name)
	}
	c.say(name, "building "+dir+" for the first time, which may take a minute or two, and several hundred MB in Go's "+
		"cache")
	began := time.Now()
	if err := build(ctx, dir, fresh); err != nil {
		return "", err
	}
	if info, err := os.Stat(fresh); err == nil {
		c.say(name, fmt.Sprintf("built in %s: a program of %d MB, in %s", time.Since(began).Round(100*time.Millisecond),
			(info.Size()+999_999)/1_000_000, home))
	}
	return keep(fresh, home, name)
}

// say reports the start of a slow operation, or its duration afterwards.
func (c *Catalog) say(name, doing string) {
	if c.config.Progress != nil {
		c.config.Progress(name, doing)
	}
}

// reuse copies the last build to the output path of the next one, so that go build detects an unchanged build and
// does not link again. go build would trust a forged program there, so only an accepted program is copied.
func reuse(known product, fresh string) error {
	if known.Program == "" || known.Origin != OriginGo {
		return nil
	}
	if hash, err := wholefile.Digest(known.Program); err != nil || hash != known.Hash {
		return nil
	}
	return copyFile(known.Program, fresh)
}

// build builds a plugin's program from the directory of its main package for this machine, using go build and the
// user's settings.
func build(ctx context.Context, dir, program string) error {
	// Neither the directory's path nor the state of its repository affects the plugin, so they must not affect its hash.
	return goBuild(ctx, dir, program, "-trimpath")
}

// goBuild runs go build with flags.
func goBuild(ctx context.Context, dir, program string, flags ...string) error {
	ctx, cancel := context.WithTimeout(ctx, buildTimeout)
	defer cancel()
	arguments := append([]string{"build", "-buildvcs=false", "-o", program}, append(flags, ".")...)
	cmd := exec.CommandContext(ctx, "go", arguments...)
	cmd.Dir = dir
	cmd.Env = append(buildEnv(cmd.Environ()), "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
	output := &child.Head{Limit: child.MaxMessageBytes}
	cmd.Stdout, cmd.Stderr = output, output
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("go build in %s did not finish within %s", dir, buildTimeout)
	case ctx.Err() != nil:
		return fmt.Errorf("go build in %s: %w", dir, ctx.Err())
	case err != nil:
		return fmt.Errorf("go build in %s: %w\n%s", dir, err, strings.Join(child.PrintableLines(output.Text), "\n"))
	}
	return checkProgram(dir, program)
}

// buildEnv removes the values of the spec's variables, because they may be secrets. Other variables configure the
// user's toolchain: proxies, credentials, compilers.
func buildEnv(host []string) []string {
	return slices.DeleteFunc(slices.Clone(host), func(pair string) bool { return strings.HasPrefix(pair, "AWHOST_VAR_") })
}

// checkProgram returns an error if go build produced the archive of a non-main package instead of a program.
func checkProgram(dir, program string) error {
	f, err := openRegular(program)
	if err != nil {
		return fmt.Errorf("%s contains no Go program: the package must be named main: %w", dir, err)
	}
	defer f.Close()
	start := make([]byte, len(archiveStart))
	if _, err := io.ReadFull(f, start); err == nil && bytes.Equal(start, []byte(archiveStart)) {
		return fmt.Errorf("the Go package in %s is not a program: name the package main, and call sdk.Serve in its main "+
			"function", dir)
	}
	return nil
}

const archiveStart = "!<arch>\n"

// keep moves a build to its final path. It does not replace an identical build at that path.
func keep(fresh, home, name string) (string, error) {
	hash, err := wholefile.Digest(fresh)
	if err != nil {
		return "", err
	}
	program := filepath.Join(home, buildPrefix(name)+strings.TrimPrefix(hash, "sha256:")[:16])
	if there, err := wholefile.Digest(program); err != nil || there != hash {
		return program, os.Rename(fresh, program)
	}
	if builds(home, name)[0] != program {
		now := time.Now()
		return program, os.Chtimes(program, now, now) // mark it as the newest, see sweep
	}
	return program, nil
}

func buildPrefix(name string) string { return name + "-" }

// builds returns the programs built from a source, newest first.
func builds(home, name string) []string {
	entries, err := os.ReadDir(home)
	if err != nil {
		return nil
	}
	ages := map[string]time.Time{}
	var found []string
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && strings.HasPrefix(e.Name(), buildPrefix(name)) {
			path := filepath.Join(home, e.Name())
			found, ages[path] = append(found, path), info.ModTime()
		}
	}
	slices.SortFunc(found, func(a, b string) int { return ages[b].Compare(ages[a]) })
	return found
}

// sweep removes old builds and temporary files left by killed processes.
func sweep(home, name string) {
	for i, path := range builds(home, name) {
		if i > keptBuilds {
			_ = os.Remove(path)
		}
	}
	left, err := filepath.Glob(filepath.Join(escapeGlob(home), temporary))
	if err != nil {
		return
	}
	for _, path := range left {
		if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > staleAfter {
			_ = os.RemoveAll(path)
		}
	}
}

func copyFile(from, to string) error {
	in, err := openRegular(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return archive.Write(to, in, 0o755)
}

// escapeGlob returns a pattern that matches only the given path.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
