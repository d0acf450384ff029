// Package build identifies builds of awhost, and stores the executables that unfinished runs need.
//
// A build has two names. Its digest is the SHA-256 of the executable: `go run` and `go build` of one commit have
// different digests. Its identity covers only the inputs that affect the results of a run, so that all builds of a
// commit for one processor level have the same identity: they resume each other's runs with bit-identical results.
//
//	self, err := build.This(awhost.Deciding, awhost.DecidingDigest, sdk.Version)
//	builds := build.In(".awhost", "")
//	hold, err := builds.Lock(ctx)         // no other process prunes until the run is recorded
//	self, err = hold.Keep(self)           // .awhost/builds/<digest>/awhost
//	err = hold.Release()
//
//	kept, err := builds.Open(run.Digest)  // stored by this user, checked against its digest
//	err = kept.Exec(args, env)            // executes the checked file
//
// The package owns the identity, the folder of stored executables and its lock. It must not depend on runs or on the
// meaning of the sources that it hashes.
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
	// Identity covers the inputs that affect the results of a run: see identify.
	Identity string `json:"identity"`
	// Digest is the SHA-256 of the executable, "sha256:…"; it is empty if it was not needed.
	Digest string `json:"digest,omitempty"`
	Awhost string `json:"awhost"` // version of awhost
	Go     string `json:"go"`     // "go1.26.8"
	// Target is the architecture and its level, such as "amd64 v3".
	Target string `json:"target"`
}

// String describes a build for users.
func (b Build) String() string {
	if b.Identity == "" {
		return fmt.Sprintf("awhost %s, whose build is not on record", b.Awhost)
	}
	return fmt.Sprintf("awhost %s, build %s (%s, %s)", b.Awhost, Short(b.Identity), b.Go, b.Target)
}

// Differences describes the differences between two builds that may change results. It returns an empty string if their
// identities are the same.
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

// Short returns the beginning of a digest, for display to users.
func Short(digest string) string {
	digest = strings.TrimPrefix(digest, "sha256:")
	return digest[:min(len(digest), 12)]
}

// This returns the build of this process, without its digest. sources must be the sources that the executable was built
// from, or digest their SourcesDigest.
func This(sources fs.FS, digest, version string) (Build, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Build{}, errors.New("identify this build of awhost: no build information: build it with `go build` in " +
			"module mode")
	}
	var err error
	if digest == "" {
		digest, err = SourcesDigest(sources)
	}
	identity := ""
	if err == nil {
		identity, err = identify(digest, info, self)
	}
	if err != nil {
		return Build{}, fmt.Errorf("identify this build of awhost: %w", err)
	}
	return Build{Identity: identity, Awhost: version, Go: info.GoVersion, Target: target(info)}, nil
}

// SelfPath returns a path that runs this executable even if its file no longer exists: `go run` deletes it, and an
// upgrade replaces it.
func SelfPath() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}

// self returns the digest of this executable.
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
