// Package build tells builds of awhost apart, and keeps the executables that unfinished runs need.
//
// A build has two names. Its digest is the SHA-256 of the executable: `go run` and `go build` of one commit have
// different ones. Its identity covers what decides the results of a run, and nothing else, so that all builds of a
// commit for one processor level have the same: they resume each other's runs to the same bits.
//
//	self, err := build.This(awhost.Deciding)
//	builds := build.In(".awhost", "")
//	hold, err := builds.Lock(ctx)         // nobody prunes until the run is on record
//	self, err = hold.Keep(self)           // .awhost/builds/<digest>/awhost
//	err = hold.Release()
//
//	kept, err := builds.Open(run.Digest)  // kept by this user, checked against its digest
//	err = kept.Exec(args, env)            // executes the very file that was checked
//
// The package owns the identity, the folder of kept executables and its lock. It must not know what a run is, or what
// the sources do that it hashes.
package build

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// Build is one executable of awhost.
type Build struct {
	// Identity covers what decides the results of a run: see Identify.
	Identity string `json:"identity"`
	// Digest is the SHA-256 of the executable, "sha256:…"; empty where it was not needed.
	Digest string `json:"digest,omitempty"`
	Awhost string `json:"awhost"` // its version
	Go     string `json:"go"`     // "go1.26.8"
	// Target is the architecture and its level, "amd64 v3".
	Target string `json:"target"`
}

// String names a build for people.
func (b Build) String() string {
	if b.Identity == "" {
		return fmt.Sprintf("awhost %s, whose build is not on record", b.Awhost)
	}
	return fmt.Sprintf("awhost %s, build %s (%s, %s)", b.Awhost, Short(b.Identity), b.Go, b.Target)
}

// Differences says what two builds differ in that may change results; empty where they have one identity.
func (b Build) Differences(other Build) string {
	if b.Identity == other.Identity {
		return ""
	}
	var parts []string
	for _, p := range []struct{ what, a, b string }{
		{"awhost", b.Awhost, other.Awhost}, {"Go", b.Go, other.Go}, {"processor level", b.Target, other.Target},
	} {
		if p.a != p.b {
			parts = append(parts, fmt.Sprintf("%s was %s and is %s", p.what, p.a, p.b))
		}
	}
	if len(parts) == 0 {
		return "other sources or modules"
	}
	return strings.Join(parts, ", ")
}

// Short is the beginning of a digest, for people.
func Short(digest string) string {
	digest = strings.TrimPrefix(digest, "sha256:")
	return digest[:min(len(digest), 12)]
}

// This is the build that this process executes, without its digest. The sources are those that the executable was
// built from.
func This(sources fs.FS, version string) (Build, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Build{}, errors.New("identify this build of awhost: it carries no build information: build it with `go build` in module mode")
	}
	identity, err := identify(sources, info, self)
	if err != nil {
		return Build{}, fmt.Errorf("identify this build of awhost: %w", err)
	}
	return Build{Identity: identity, Awhost: version, Go: info.GoVersion, Target: target(info)}, nil
}

// SelfPath executes this very executable, also when its file is gone: `go run` deletes it, an upgrade replaces it.
func SelfPath() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}

// self is the digest of this very executable.
func self() (string, error) {
	path, err := SelfPath()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read this program: %w", err)
	}
	defer f.Close()
	return digestOf(f)
}

func digestOf(r io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return "", err
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}
