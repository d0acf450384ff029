package build

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"go/scanner"
	"go/token"
	"hash"
	"io/fs"
	"path"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// computing lists the build settings that may change the code's results, in addition to its sources. GOAMD64=v3 and
// arm64 fuse multiplications with additions. Paths, version stamps, symbol tables and version control are not included.
var computing = []string{
	"-asmflags", "-compiler", "-gcflags", "-tags", "GO386", "GOAMD64", "GOARCH", "GOARM", "GOARM64", "GOEXPERIMENT",
	"GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64",
}

// identify returns a build's identity: a digest of its sources (SourcesDigest), the checksums of linked modules, the
// Go version, the architecture and its level. Builds that compute differently have different identities; all builds of
// one commit for one target have the same identity. For a module without a checksum, such as one replaced by a
// directory, the executable itself is included.
func identify(sources string, info *debug.BuildInfo, executable func() (string, error)) (string, error) {
	h := sha256.New()
	field(h, "awhost build 2", info.GoVersion, runtimeArch(info))
	for _, s := range info.Settings {
		if slices.Contains(computing, s.Key) {
			field(h, s.Key, s.Value)
		}
	}
	for _, module := range info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		field(h, module.Path, module.Version, module.Sum)
		if module.Sum == "" {
			digest, err := executable()
			if err != nil {
				return "", err
			}
			field(h, digest)
		}
	}
	field(h, sources)
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}

func runtimeArch(info *debug.BuildInfo) string {
	if arch := setting(info, "GOARCH"); arch != "" {
		return arch
	}
	return runtime.GOARCH
}

// target returns the architecture and its level, for display to users.
func target(info *debug.BuildInfo) string {
	arch := runtimeArch(info)
	level := setting(info, "GO"+strings.ToUpper(arch))
	return strings.TrimSpace(arch + " " + level)
}

func setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// field adds strings so that different lists of strings add different bytes.
func field(h hash.Hash, texts ...string) {
	var out []byte
	for _, text := range texts {
		out = appendField(out, text)
	}
	_, _ = h.Write(out) // a hash does not fail
}

func appendField(out []byte, text string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(text))), text...)
}

// SourcesDigest returns a digest of the sources' contents, as Go tokens, in the order of their paths. They are read
// concurrently, because reading accounts for most of a short command's time.
func SourcesDigest(sources fs.FS) (string, error) {
	names, err := decidingFiles(sources)
	if err != nil {
		return "", err
	}
	says := make([]string, len(names))
	var reading errgroup.Group
	reading.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		reading.Go(func() error {
			text, err := fs.ReadFile(sources, name)
			if err == nil && path.Ext(name) == ".go" {
				text, err = tokens(name, text)
			}
			says[i] = string(text)
			return err
		})
	}
	if err := reading.Wait(); err != nil {
		return "", err
	}
	h := sha256.New()
	for i, name := range names {
		field(h, name)
		field(h, says[i])
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// decidingFiles returns the sorted paths of the sources that affect a build's results.
func decidingFiles(sources fs.FS) ([]string, error) {
	var names []string
	err := fs.WalkDir(sources, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && !decidingFolder(name):
			return fs.SkipDir
		case !d.IsDir() && decidingFile(name):
			names = append(names, name)
		}
		return nil
	})
	if err == nil && len(names) == 0 {
		return nil, errors.New("it contains no sources")
	}
	return names, err
}

// unused lists SDK directories that no run uses.
var unused = []string{"sdk/bridge/bridgetest", "sdk/conformance", "sdk/python/tests", "sdk/sdktest"}

func decidingFolder(name string) bool {
	base := path.Base(name)
	return name == "." || !strings.HasPrefix(base, ".") && base != "testdata" && base != "__pycache__" &&
		!slices.Contains(unused, name)
}

// decidingFile excludes tests, manuals and tool files.
func decidingFile(name string) bool {
	base := path.Base(name)
	switch path.Ext(name) {
	case ".md", ".proto", ".binpb", ".pyc", ".orig", ".rej", ".swp":
		return false
	}
	return !strings.HasPrefix(base, ".") && !strings.HasSuffix(base, "_test.go") && !strings.HasSuffix(base, "~")
}

// tokens returns the tokens of a Go file. Comments and layout are ignored, except for comments that the compiler
// reads: directives (//go:…, //export), and those in a file that may have C code above import "C".
func tokens(name string, text []byte) ([]byte, error) {
	files := token.NewFileSet()
	var problems scanner.ErrorList
	var s scanner.Scanner
	s.Init(files.AddFile(name, -1, len(text)), text, func(at token.Position, message string) { problems.Add(at, message) },
		scanner.ScanComments)
	var optional token.Token // a semicolon or comma that the formatter adds at line ends, and omits before a bracket
	out := make([]byte, 0, len(text))
	cgo := bytes.Contains(text, []byte(`"C"`))
	for {
		_, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			if optional != token.ILLEGAL {
				out = appendField(out, optional.String())
			}
			return out, problems.Err()
		case tok == token.COMMENT:
			if cgo || directive(literal) {
				out = appendField(out, literal)
			}
			continue
		}
		closing := tok == token.RPAREN || tok == token.RBRACE || tok == token.RBRACK
		if optional != token.ILLEGAL && !closing {
			out = appendField(out, optional.String())
		}
		optional = token.ILLEGAL
		switch {
		case tok == token.SEMICOLON || tok == token.COMMA:
			optional = tok
		case tok.IsLiteral():
			out = appendField(out, literal)
		default:
			out = appendField(out, tok.String())
		}
	}
}

// directive reports whether the compiler interprets a comment.
func directive(comment string) bool {
	return strings.HasPrefix(comment, "//go:") || strings.HasPrefix(comment, "//export ") ||
		strings.HasPrefix(comment, "// +build")
}
