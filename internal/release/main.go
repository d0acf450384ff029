// Command release writes the files of a release of awhost: wheels for pip and uv, archives with an install script, and
// checksums. The same commit and Go toolchain give the same bytes in every directory.
//
//	AWHOST_ZIG=$(.ci/ziglang) go run ./internal/release -out dist
//	AWHOST_ZIG=$(.ci/ziglang) go run ./internal/release -out dist -targets linux/amd64
//
// It runs in the root of the repository. Programs for Linux use C, because NVML is a C library, and are linked by zig
// with an old glibc (cc.sh). AWHOST_ZIG is a Python with the package ziglang.
package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/awhost/awhost"
	"github.com/awhost/awhost/host/build"
	"github.com/awhost/awhost/host/wheels"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/python"
)

// target is a platform that a release supports.
type target struct {
	name   string // as Go names it
	zig    string // zig's name for the platform and its glibc; empty: without C
	wheels string // the wheel's platform tags; empty: no wheel
}

var targets = []target{
	{"linux/amd64", "x86_64-linux-gnu.2.17", "manylinux_2_17_x86_64.manylinux2014_x86_64"},
	{"linux/arm64", "aarch64-linux-gnu.2.17", "manylinux_2_17_aarch64.manylinux2014_aarch64"},
	{name: "darwin/arm64"},
}

// maxProgramBytes limits the size of a program.
const maxProgramBytes = 60_000_000

//go:embed install.sh
var installScript []byte

// versionLine is the line of install.sh that names the release.
var versionLine = []byte("version=0.0.0\n")

func main() {
	out := flag.String("out", "", "the directory to write to, which must be empty or not exist")
	names := flag.String("targets", "linux/amd64,linux/arm64,darwin/arm64", "the platforms")
	flag.Parse()
	if err := release(*out, strings.Split(*names, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func release(out string, names []string) error {
	if old, err := os.ReadDir(out); out == "" || len(old) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("-out %q is not a new directory", out)
	}
	here := runtime.GOOS + "/" + runtime.GOARCH
	if !slices.Contains(names, here) {
		return fmt.Errorf("-targets does not contain %s: the program for it writes the completions", here)
	}
	work, err := os.MkdirTemp("", "awhost-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	programs := map[string][]byte{}
	for _, name := range names {
		at := slices.IndexFunc(targets, func(t target) bool { return t.name == name })
		if at < 0 {
			return fmt.Errorf("unknown target %q", name)
		}
		if programs[name], err = targets[at].build(work); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	files, err := pack(programs, filepath.Join(work, strings.ReplaceAll(here, "/", "_")))
	if err != nil {
		return err
	}
	return write(out, files)
}

// build compiles the program.
func (t target) build(work string) ([]byte, error) {
	replaced, err := overlay(work)
	if err != nil {
		return nil, err
	}
	top, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	system, processor, _ := strings.Cut(t.name, "/")
	path := filepath.Join(work, system+"_"+processor)
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w -buildid=", "-overlay", replaced, "-o", path,
		"./cmd/awhost")
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off",
		"GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0")
	if t.zig != "" {
		if os.Getenv("AWHOST_ZIG") == "" {
			return nil, errors.New("AWHOST_ZIG is not set: set it to the output of .ci/ziglang")
		}
		cmd.Env = append(cmd.Env, "CGO_ENABLED=1", "CGO_CFLAGS=-O2", "CGO_LDFLAGS=", fmt.Sprintf("CC=sh '%s' %s",
			filepath.Join(top, "internal/release/cc.sh"), t.zig))
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go build: %w", err)
	}
	program, err := os.ReadFile(path)
	if err == nil && len(program) > maxProgramBytes {
		err = fmt.Errorf("the program has %d bytes, more than %d: `go tool nm -size -sort size` shows what is large in a "+
			"program that is not stripped", len(program), maxProgramBytes)
	}
	return program, err
}

// decidingFile replaces deciding.go, so that a program contains the digest of the deciding sources instead of them.
const decidingFile = `package awhost

import "embed"

const DecidingDigest = %q

var Deciding embed.FS
`

// overlay writes an overlay for `go build` to a directory, and returns its path. It replaces deciding.go, and omits the
// tests of the SDK that the program contains.
func overlay(work string) (string, error) {
	digest, err := build.SourcesDigest(awhost.Deciding)
	if err != nil {
		return "", err
	}
	top, err := os.Getwd()
	if err != nil {
		return "", err
	}
	replacement := filepath.Join(work, "deciding.go")
	if err := os.WriteFile(replacement, fmt.Appendf(nil, decidingFile, digest), 0o644); err != nil {
		return "", err
	}
	replaced := map[string]string{filepath.Join(top, "deciding.go"): replacement}
	err = fs.WalkDir(awhost.SDK, ".", func(name string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(name, "_test.go") {
			replaced[filepath.Join(top, filepath.FromSlash(name))] = ""
		}
		return err
	})
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	path := filepath.Join(work, "overlay.json")
	return path, os.WriteFile(path, text, 0o644)
}

// pack returns the files of a release by name. The program at path runs on this machine.
func pack(programs map[string][]byte, path string) (map[string][]byte, error) {
	sdkWheel, err := wheels.Pure(python.Sources)
	if err != nil {
		return nil, err
	}
	if sdkWheel.Version != sdk.Version {
		return nil, fmt.Errorf("sdk/python/pyproject.toml has version %q: want %q", sdkWheel.Version, sdk.Version)
	}
	files := map[string][]byte{sdkWheel.File: sdkWheel.Data}
	add := func(name string, data []byte, failed error) { files[name], err = data, errors.Join(err, failed) }
	shared := []entry{}
	for _, name := range []string{"LICENSE", "README.md"} {
		text, failed := os.ReadFile(name)
		shared, err = append(shared, entry{name, text, 0o644}), errors.Join(err, failed)
	}
	for shell, name := range map[string]string{"bash": "awhost.bash", "fish": "awhost.fish", "zsh": "_awhost"} {
		text, failed := exec.Command(path, "completion", shell).Output()
		shared, err = append(shared, entry{"completions/" + name, text, 0o644}), errors.Join(err, failed)
	}
	for _, t := range targets {
		program := programs[t.name]
		if program == nil {
			continue
		}
		stem := "awhost_" + sdk.Version + "_" + strings.ReplaceAll(t.name, "/", "_")
		archive, failed := tarball(stem, append([]entry{{"awhost", program, 0o755}}, shared...))
		add(stem+".tar.gz", archive, failed)
		if t.wheels != "" {
			w, failed := wheels.Program(wheels.Metadata{
				Name: "awhost", Version: sdk.Version, RequiresPython: sdkWheel.RequiresPython,
				Description:  "Train LLM agents by reinforcement learning: one file declares the run.",
				Dependencies: []string{sdkWheel.Name + "==" + sdk.Version},
			}, t.wheels, program)
			if err = errors.Join(err, failed); err == nil {
				files[w.File] = w.Data
			}
		}
	}
	if !bytes.Contains(installScript, versionLine) {
		err = errors.Join(err, fmt.Errorf("install.sh has no line %q", versionLine))
	}
	files["install.sh"] = bytes.Replace(installScript, versionLine, []byte("version="+sdk.Version+"\n"), 1)
	return files, err
}

// write writes the files and their checksums.
func write(out string, files map[string][]byte) error {
	err := os.MkdirAll(out, 0o755)
	var sums strings.Builder
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(files[name]), name)
		err = errors.Join(err, os.WriteFile(filepath.Join(out, name), files[name], 0o644))
	}
	return errors.Join(err, os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(sums.String()), 0o644))
}
