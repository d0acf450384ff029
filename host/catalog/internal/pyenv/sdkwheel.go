package pyenv

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
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	pysdk "github.com/awhost/awhost/sdk/python"
)

// sdk is the wheel for the awhost Python package that this binary contains.
type sdk struct {
	name string // name of the package
	file string // file name of the wheel
	hash string
	data []byte
}

// sdkWheel builds the wheel. The resulting bytes are always the same.
var sdkWheel = sync.OnceValues(func() (*sdk, error) { return makeWheel(pysdk.Sources) })

// metadata is the part of pyproject.toml that a wheel needs.
type metadata struct {
	Project struct {
		Name           string              `toml:"name"`
		Version        string              `toml:"version"`
		Description    string              `toml:"description"`
		RequiresPython string              `toml:"requires-python"`
		Dependencies   []string            `toml:"dependencies"`
		Optional       map[string][]string `toml:"optional-dependencies"`
		Scripts        map[string]string   `toml:"scripts"`
	} `toml:"project"`
}

// makeWheel packs pure Python packages, which are the directories next to a pyproject.toml.
func makeWheel(sources fs.FS) (*sdk, error) {
	text, err := fs.ReadFile(sources, projectFile)
	if err != nil {
		return nil, err
	}
	var m metadata
	if _, err := toml.Decode(string(text), &m); err != nil {
		return nil, fmt.Errorf("the SDK's %s: %w", projectFile, err)
	}
	p := m.Project
	info := p.Name + "-" + p.Version + ".dist-info/"
	w := packer{record: info + "RECORD"}
	w.zip = zip.NewWriter(&w.out)
	err = fs.WalkDir(sources, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == projectFile {
			return err
		}
		data, err := fs.ReadFile(sources, name)
		if err != nil {
			return err
		}
		return w.add(name, data)
	})
	if err := errors.Join(err, w.add(info+"METADATA", m.text()),
		w.add(info+"WHEEL", []byte("Wheel-Version: 1.0\nGenerator: awhost\nRoot-Is-Purelib: true\nTag: py3-none-any\n")),
		w.finish()); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(w.out.Bytes())
	return &sdk{name: p.Name, file: p.Name + "-" + p.Version + "-py3-none-any.whl", hash: "sha256:" +
		hex.EncodeToString(sum[:]), data: w.out.Bytes()}, nil
}

func (m *metadata) text() []byte {
	var b strings.Builder
	p := m.Project
	fmt.Fprintf(&b, "Metadata-Version: 2.1\nName: %s\nVersion: %s\nSummary: %s\n", p.Name, p.Version, p.Description)
	if p.RequiresPython != "" {
		fmt.Fprintf(&b, "Requires-Python: %s\n", p.RequiresPython)
	}
	for _, r := range p.Dependencies {
		fmt.Fprintf(&b, "Requires-Dist: %s\n", r)
	}
	for _, extra := range slices.Sorted(maps.Keys(p.Optional)) {
		fmt.Fprintf(&b, "Provides-Extra: %s\n", extra)
		for _, r := range p.Optional[extra] {
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
	out    bytes.Buffer
	zip    *zip.Writer
	record string
	lines  strings.Builder
}

func (w *packer) add(name string, data []byte) error {
	sum := sha256.Sum256(data)
	fmt.Fprintf(&w.lines, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(data))
	return w.write(name, data)
}

func (w *packer) write(name string, data []byte) error {
	header := &zip.FileHeader{Name: name, Method: zip.Deflate}
	header.SetMode(0o644)
	f, err := w.zip.CreateHeader(header)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return err
}

func (w *packer) finish() error {
	return errors.Join(w.write(w.record, []byte(w.lines.String()+w.record+",,\n")), w.zip.Close())
}

// house is the directory from which pip installs the SDK's wheel.
type house struct {
	dir string
	sdk *sdk
}

func (h *house) constraints() string { return filepath.Join(h.dir, "constraints.txt") }

// newHouse writes the SDK's wheel to a directory under home. A constraint makes pip use this wheel, regardless of what
// an index offers under the same name: the SDK must match this host, and the name is not registered there.
func newHouse(home string) (*house, error) {
	wheel, err := sdkWheel()
	if err != nil {
		return nil, err
	}
	h := &house{dir: filepath.Join(home, "wheels-"+short(wheel.hash)), sdk: wheel}
	path := filepath.Join(h.dir, wheel.file)
	location := url.URL{Scheme: "file", Path: path}
	return h, errors.Join(os.MkdirAll(h.dir, 0o755), replaceFile(path, wheel.data),
		replaceFile(h.constraints(), []byte(wheel.name+" @ "+location.String()+"\n")))
}

// replaceFile writes a file unless it already has the given content.
func replaceFile(path string, text []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	return errors.Join(os.WriteFile(path+".new", text, 0o644), os.Rename(path+".new", path))
}
