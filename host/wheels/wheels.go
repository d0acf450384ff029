// Package wheels writes Python wheels: the SDK, which the host installs for plugins and a release publishes, and the
// program. The same content always results in the same bytes.
//
//	sdk, err := wheels.Pure(python.Sources)
//	program, err := wheels.Program(wheels.Metadata{Name: "awhost", Version: "0.1.0"}, "manylinux_2_17_x86_64", binary)
package wheels

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// Wheel is a wheel in memory.
type Wheel struct {
	Metadata
	File string // the file name, which states the platform
	Hash string // "sha256:…" of Data
	Data []byte
}

// Metadata is the part of pyproject.toml that a wheel needs.
type Metadata struct {
	Name           string              `toml:"name"`
	Version        string              `toml:"version"`
	Description    string              `toml:"description"`
	RequiresPython string              `toml:"requires-python"`
	Dependencies   []string            `toml:"dependencies"`
	Optional       map[string][]string `toml:"optional-dependencies"`
}

// projectFile describes a Python package.
const projectFile = "pyproject.toml"

// Pure packs pure Python packages, which are the directories next to a pyproject.toml.
func Pure(sources fs.FS) (*Wheel, error) {
	text, err := fs.ReadFile(sources, projectFile)
	if err != nil {
		return nil, err
	}
	var file struct{ Project Metadata }
	if _, err := toml.Decode(string(text), &file); err != nil {
		return nil, fmt.Errorf("the SDK's %s: %w", projectFile, err)
	}
	p := newPacker(file.Project)
	err = fs.WalkDir(sources, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == projectFile {
			return err
		}
		data, err := fs.ReadFile(sources, name)
		if err != nil {
			return err
		}
		return p.add(name, data, 0o644)
	})
	if err != nil {
		return nil, err
	}
	return p.finish("py3-none-any")
}

// Program packs an executable that is named like the package. The platform may be several tags with dots between them.
func Program(m Metadata, platform string, executable []byte) (*Wheel, error) {
	p := newPacker(m)
	if err := p.add(p.base()+".data/scripts/"+m.Name, executable, 0o755); err != nil {
		return nil, err
	}
	return p.finish("py3-none-" + platform)
}

// NormalizeName returns the form of a distribution's name by which an index compares names.
func NormalizeName(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-_.", r) })
	return strings.ToLower(strings.Join(words, "-"))
}

func (m *Metadata) text() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "Metadata-Version: 2.1\nName: %s\nVersion: %s\nSummary: %s\nLicense: Apache-2.0\n", m.Name, m.Version,
		m.Description)
	if m.RequiresPython != "" {
		fmt.Fprintf(&b, "Requires-Python: %s\n", m.RequiresPython)
	}
	for _, r := range m.Dependencies {
		fmt.Fprintf(&b, "Requires-Dist: %s\n", r)
	}
	for _, extra := range slices.Sorted(maps.Keys(m.Optional)) {
		fmt.Fprintf(&b, "Provides-Extra: %s\n", extra)
		for _, r := range m.Optional[extra] {
			name, marker, ok := strings.Cut(r, ";")
			if ok {
				marker = "(" + strings.TrimSpace(marker) + ") and "
			}
			fmt.Fprintf(&b, "Requires-Dist: %s; %sextra == %q\n", strings.TrimSpace(name), marker, extra)
		}
	}
	return []byte(b.String())
}

// packer writes a wheel's files and their RECORD.
type packer struct {
	Metadata
	out   *bytes.Buffer
	zip   *zip.Writer
	lines strings.Builder
}

func newPacker(m Metadata) *packer {
	out := new(bytes.Buffer)
	return &packer{Metadata: m, out: out, zip: zip.NewWriter(out)}
}

// base returns the beginning of the wheel's name and of its directories.
func (p *packer) base() string {
	return strings.ReplaceAll(NormalizeName(p.Name), "-", "_") + "-" + p.Version
}

func (p *packer) add(name string, data []byte, mode fs.FileMode) error {
	sum := sha256.Sum256(data)
	fmt.Fprintf(&p.lines, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(data))
	return p.write(name, data, mode)
}

// written is the earliest time that a zip file can state.
var written = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func (p *packer) write(name string, data []byte, mode fs.FileMode) error {
	header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: written}
	header.SetMode(mode)
	f, err := p.zip.CreateHeader(header)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return err
}

// finish ends a wheel with a tag, such as py3-none-any.
func (p *packer) finish(tag string) (*Wheel, error) {
	info := p.base() + ".dist-info/"
	about := fmt.Sprintf("Wheel-Version: 1.0\nGenerator: awhost\nRoot-Is-Purelib: %t\n", strings.HasSuffix(tag, "-any"))
	kind, platforms, _ := strings.Cut(tag, "-none-")
	for platform := range strings.SplitSeq(platforms, ".") {
		about += "Tag: " + kind + "-none-" + platform + "\n"
	}
	record := info + "RECORD"
	err := errors.Join(p.add(info+"METADATA", p.text(), 0o644), p.add(info+"WHEEL", []byte(about), 0o644))
	err = errors.Join(err, p.write(record, []byte(p.lines.String()+record+",,\n"), 0o644), p.zip.Close())
	sum := sha256.Sum256(p.out.Bytes())
	return &Wheel{Metadata: p.Metadata, File: p.base() + "-" + tag + ".whl", Hash: "sha256:" + hex.EncodeToString(sum[:]),
		Data: p.out.Bytes()}, err
}
