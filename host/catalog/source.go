package catalog

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/awhost/awhost/sdk"
)

// describeTimeout bounds `PROGRAM describe`; buildTimeout bounds `go build`.
const (
	describeTimeout = 30 * time.Second
	buildTimeout    = 10 * time.Minute
)

// acceptance is the record of an accepted source, one JSON file per local name below StateDir/plugins.
type acceptance struct {
	Format      int             `json:"format"`
	Name        string          `json:"name"`
	Source      string          `json:"source"`
	Origin      Origin          `json:"origin"`
	Program     string          `json:"program"`
	Hash        string          `json:"hash"`
	Description json.RawMessage `json:"description"`
}

// acceptanceFormat is the version of the record.
const acceptanceFormat = 1

func (c *Catalog) recordPath(name string) string {
	return filepath.Join(c.config.StateDir, "plugins", name, "accepted.json")
}

// load returns an accepted source without running anything. It fails with ErrNotAccepted, or when the program is no
// longer what was accepted.
func (c *Catalog) load(name string) (*Entry, error) {
	source := c.config.Sources[name]
	text, err := os.ReadFile(c.recordPath(name))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(c.path(source)); err != nil {
			return nil, fmt.Errorf("plugin %s: there is nothing at source %q: %w", name, source, err)
		}
		return nil, fmt.Errorf("plugin %s: %w: run `awhost init` to build and describe %q (this executes its code)", name, ErrNotAccepted, source)
	}
	if err != nil {
		return nil, fmt.Errorf("plugin %s: %w", name, err)
	}
	var record acceptance
	if err := json.Unmarshal(text, &record); err != nil || record.Format != acceptanceFormat {
		return nil, fmt.Errorf("plugin %s: the record %s is not readable by this version: run `awhost init` again", name, c.recordPath(name))
	}
	if record.Source != source {
		return nil, fmt.Errorf("plugin %s: %w: its source was %q and is now %q: run `awhost init`", name, ErrNotAccepted, record.Source, source)
	}
	hash, err := hashFile(record.Program)
	if err != nil {
		return nil, fmt.Errorf("plugin %s: its program is gone: run `awhost init`: %w", name, err)
	}
	if hash != record.Hash && record.Origin == OriginProgram {
		return nil, fmt.Errorf("plugin %s: %w: %s changed since it was accepted: run `awhost init`", name, ErrNotAccepted, record.Program)
	}
	description, err := sdk.ParseDescription(record.Description)
	if err != nil {
		return nil, fmt.Errorf("plugin %s: %w: run `awhost init`", name, err)
	}
	return &Entry{Name: name, Origin: record.Origin, Source: source, Command: []string{record.Program}, Hash: hash, Description: *description}, nil
}

// Accept builds and describes every source, which runs its code, and records it. It is what the user consents to by
// `awhost init`.
func (c *Catalog) Accept(ctx context.Context) error {
	var failures []error
	for _, name := range sortedNames(c.config.Sources) {
		entry, err := c.accept(ctx, name)
		if err != nil {
			c.pending[name] = err
			failures = append(failures, err)
			continue
		}
		delete(c.pending, name)
		c.entries[name] = entry
	}
	return errors.Join(failures...)
}

// Refresh rebuilds the accepted Go packages whose sources changed. Consent was given for the directory, so that an
// author's loop is edit and apply.
func (c *Catalog) Refresh(ctx context.Context) error {
	var failures []error
	for _, name := range sortedNames(c.config.Sources) {
		if entry := c.entries[name]; entry != nil && entry.Origin == OriginGo {
			fresh, err := c.accept(ctx, name)
			if err != nil {
				failures = append(failures, err)
				continue
			}
			c.entries[name] = fresh
		}
	}
	return errors.Join(failures...)
}

func (c *Catalog) accept(ctx context.Context, name string) (*Entry, error) {
	source := c.config.Sources[name]
	record := acceptance{Format: acceptanceFormat, Name: name, Source: source}
	var err error
	if record.Program, record.Origin, err = c.program(ctx, name, c.path(source)); err != nil {
		return nil, fmt.Errorf("plugin %s: %w", name, err)
	}
	if record.Hash, err = hashFile(record.Program); err != nil {
		return nil, fmt.Errorf("plugin %s: %w", name, err)
	}
	description, err := describe(ctx, record.Program)
	if err != nil {
		return nil, fmt.Errorf("plugin %s: %w", name, err)
	}
	if err := c.checkNames(name, description); err != nil {
		return nil, fmt.Errorf("plugin %s: %w", name, err)
	}
	if record.Description, err = sdk.FormatDescription(*description); err != nil {
		return nil, fmt.Errorf("plugin %s: %w", name, err)
	}
	if err := writeRecord(c.recordPath(name), record); err != nil {
		return nil, fmt.Errorf("plugin %s: %w", name, err)
	}
	return &Entry{Name: name, Origin: record.Origin, Source: source, Command: []string{record.Program}, Hash: record.Hash, Description: *description}, nil
}

// checkNames holds a plugin to its name space: a type is the local name, or starts with it and an underscore.
func (c *Catalog) checkNames(name string, d *sdk.Description) error {
	for _, component := range d.Components {
		if component.Type != name && !strings.HasPrefix(component.Type, name+"_") {
			return fmt.Errorf("its %s %q does not carry its local name: name it %q in required_plugins", component.Kind, component.Type, strings.SplitN(component.Type, "_", 2)[0])
		}
	}
	return nil
}

// program returns what to execute for a source, built when it is a Go package.
func (c *Catalog) program(ctx context.Context, name, path string) (string, Origin, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", "", fmt.Errorf("there is nothing at its source: %w", err)
	}
	if !info.IsDir() {
		if info.Mode()&0o111 == 0 {
			return "", "", fmt.Errorf("%s is not executable: run chmod +x on it, or name a directory with a Go package", path)
		}
		return path, OriginProgram, nil
	}
	sources, err := filepath.Glob(filepath.Join(path, "*.go"))
	if err != nil || len(sources) == 0 {
		return "", "", fmt.Errorf("%s holds no Go files: a source is a program or a directory with a Go package", path)
	}
	program := filepath.Join(c.config.StateDir, "plugins", name, "plugin")
	return program, OriginGo, build(ctx, path, program)
}

// build compiles the package at dir. Go's own cache makes it cheap when nothing changed, and it sees what a look at
// the directory cannot: replaced modules, workspaces, embedded files.
func build(ctx context.Context, dir, program string) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(program), 0o755); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, buildTimeout)
	defer cancel()
	fresh := program + ".new"
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", fresh, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build in %s: %w\n%s", dir, err, strings.TrimSpace(string(out)))
	}
	return os.Rename(fresh, program)
}

func describe(ctx context.Context, program string) (*sdk.Description, error) {
	ctx, cancel := context.WithTimeout(ctx, describeTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "describe")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "LANG=" + os.Getenv("LANG")}
	cmd.WaitDelay = time.Second
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("run `%s describe`: %w\n%s\nis it a plugin of awhost? its main must call sdk.Serve", program, err, strings.TrimSpace(stderr.String()))
	}
	description, err := sdk.ParseDescription([]byte(stdout.String()))
	if err != nil {
		return nil, fmt.Errorf("`%s describe`: %w: is it a plugin of awhost? its main must call sdk.Serve", program, err)
	}
	for _, v := range description.ProtocolVersions {
		if v == sdk.ProtocolVersion {
			return description, nil
		}
	}
	return nil, fmt.Errorf("it speaks protocol versions %v and this host speaks %d: use a release of the plugin, or of awhost, that matches", description.ProtocolVersions, sdk.ProtocolVersion)
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}

func writeRecord(path string, record acceptance) error {
	text, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path+".new", append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
