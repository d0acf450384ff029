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

	"github.com/awhost/awhost/host/catalog/internal/child"
	"github.com/awhost/awhost/host/internal/wholefile"
)

const (
	// buildTimeout bounds `go build`, which may download modules, and compiles hundreds of packages on a machine that has
	// built nothing yet.
	buildTimeout = 30 * time.Minute
	// keptBuilds is how many earlier builds of a source are kept: a run that is under way restarts its plugins from
	// the one that it began with.
	keptBuilds = 4
	// staleAfter is the age at which what a killed process left is removed.
	staleAfter = 2 * buildTimeout
)

// build compiles the package at dir and returns the program, whose name carries the hash of its content. Go's own cache
// makes it cheap when nothing changed, and it sees what a look at the directory cannot: replaced modules, workspaces,
// embedded files.
func (c *Catalog) build(ctx context.Context, name, dir string, known product) (string, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return "", fmt.Errorf("%s is a Go package, and there is no go command in PATH to build it: install Go from https://go.dev/dl, or name a program as the source", dir)
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
		if err := build(ctx, dir, fresh); err != nil { // Go's cache has most of it
			return "", err
		}
		return keep(fresh, home, name)
	}
	c.say(name, "building "+dir+" for the first time, which may take a minute or two, and some hundred MB in the cache of Go")
	began := time.Now()
	if err := build(ctx, dir, fresh); err != nil {
		return "", err
	}
	if info, err := os.Stat(fresh); err == nil {
		c.say(name, fmt.Sprintf("built in %s: a program of %d MB, in %s", time.Since(began).Round(100*time.Millisecond), (info.Size()+999_999)/1_000_000, home))
	}
	return keep(fresh, home, name)
}

// say tells what takes long, or did.
func (c *Catalog) say(name, doing string) {
	if c.config.Progress != nil {
		c.config.Progress(name, doing)
	}
}

// reuse puts the last build where the next one goes: then go build sees that nothing changed, and does not link again.
// It would take a forged program for its own, so that only what the user accepted is put there.
func reuse(known product, fresh string) error {
	if known.Program == "" || known.Origin != OriginGo {
		return nil
	}
	if hash, err := wholefile.Digest(known.Program); err != nil || hash != known.Hash {
		return nil
	}
	return copyFile(known.Program, fresh)
}

// build builds the program of a plugin from the directory of its main package: go build with the user's settings, for this machine.
func build(ctx context.Context, dir, program string) error {
	// Neither where the directory lies nor the state of its repository changes what the plugin does, so they shall not
	// change its hash.
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
		return fmt.Errorf("go build in %s was not done within %s", dir, buildTimeout)
	case ctx.Err() != nil:
		return fmt.Errorf("go build in %s: %w", dir, ctx.Err())
	case err != nil:
		return fmt.Errorf("go build in %s: %w\n%s", dir, err, strings.Join(child.PrintableLines(output.Text), "\n"))
	}
	return checkProgram(dir, program)
}

// buildEnv leaves out the values of the spec's variables, which may be secrets. The rest is the user's own toolchain's
// business: proxies, credentials, compilers.
func buildEnv(host []string) []string {
	return slices.DeleteFunc(slices.Clone(host), func(pair string) bool { return strings.HasPrefix(pair, "AWHOST_VAR_") })
}

// checkProgram tells a program from what go build makes of any other package.
func checkProgram(dir, program string) error {
	f, err := openRegular(program)
	if err != nil {
		return fmt.Errorf("%s holds no Go program: the package must be named main: %w", dir, err)
	}
	defer f.Close()
	start := make([]byte, len(archiveStart))
	if _, err := io.ReadFull(f, start); err == nil && bytes.Equal(start, []byte(archiveStart)) {
		return fmt.Errorf("%s holds a Go package that is no program: the package must be named main, and its function main must call sdk.Serve", dir)
	}
	return nil
}

const archiveStart = "!<arch>\n"

// keep moves a build to its place. An equal one that is there already stays untouched.
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
		return program, os.Chtimes(program, now, now) // it is the newest again, see sweep
	}
	return program, nil
}

func buildPrefix(name string) string { return name + "-" }

// builds are the programs that were built of a source, the newest first.
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

// sweep removes old builds and what a process that was killed left.
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
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// escapeGlob makes a path its own pattern.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
