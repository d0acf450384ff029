package catalog

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/catalog/internal/archive"
	"github.com/awhost/awhost/host/catalog/internal/pyenv"
	"github.com/awhost/awhost/host/catalog/internal/stamp"
)

// sourceForms lists the possible forms of a source and is appended to messages.
const sourceForms = "a source is a program, an archive (.tar.gz, .zip), the URL of either, a directory with a Go or a Python package, or " +
	`any directory with a command, as in command = ["node", "main.mjs"]`

// isURL reports whether a source is downloaded. file: URLs are treated as paths; see sourcePath.
func isURL(source string) bool {
	return strings.HasPrefix(source, "https://") || strings.HasPrefix(source, "http://")
}

// checkSource rejects addresses that cannot be downloaded, or that must not be stored.
func checkSource(source string) error {
	if !strings.Contains(source, "://") {
		return nil
	}
	address, err := url.Parse(source)
	switch {
	case err != nil:
		var wrong *url.Error
		if errors.As(err, &wrong) {
			err = wrong.Err // without the address, which may contain a password
		}
		return fmt.Errorf("invalid source URL: %w", err)
	case address.User != nil:
		return fmt.Errorf("its source %s contains a user name or password, which would be stored: "+
			"%s", address.Redacted(), sourceForms)
	case isURL(source) && address.RawQuery != "":
		address.RawQuery, address.Fragment = "", ""
		return fmt.Errorf("its source %s?… has a query, and any tokens or signatures in it would be stored: use a "+
			"URL without a query, or download the file yourself and use it as the source", address)
	case isURL(source) && address.Host != "", address.Scheme == "file" &&
		(address.Host == "" || address.Host == "localhost"):
		return nil
	}
	return fmt.Errorf("its source %q is neither a path nor a URL that starts with https://, http://, or file:///", source)
}

// locate returns the location of a source: an absolute path, or a URL.
func locate(specDir, source string) string {
	if isURL(source) {
		return source
	}
	if address, err := url.Parse(source); err == nil && address.Scheme == "file" {
		return filepath.Clean(filepath.FromSlash(address.Path))
	}
	path := filepath.FromSlash(source)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(specDir, path)
}

// sourcePath returns the absolute path of a source, or its URL.
func (c *Catalog) sourcePath(name string) string {
	return locate(c.config.SpecDir, c.config.Sources[name])
}

// product is a source that has been made executable.
type product struct {
	Origin   Origin   `json:"origin"`
	Program  string   `json:"program"`            // absolute path of the executed file, or of its interpreter's script
	Command  []string `json:"command,omitempty"`  // set if it is not only the program
	Declared []string `json:"declared,omitempty"` // the command in the spec, from which Command was made
	Root     string   `json:"root,omitempty"`     // the folder that is the program, if it is not a single file
	Deps     string   `json:"deps,omitempty"`     // the Python environment of Root's dependencies
	Sources  string   `json:"sources,omitempty"`  // digest of a package's sources in a directory, see Stale; may be empty
	Checksum string   `json:"checksum,omitempty"` // of the file at the source; set only for installed sources
	Hash     string   `json:"hash"`               // of the executed content
}

// installed reports whether the product runs from a copy, rather than from a directory that is rebuilt when it changes.
func (p *product) installed() bool { return p.Checksum != "" }

// command returns the command to execute.
func (p *product) command() []string {
	if len(p.Command) > 0 {
		return p.Command
	}
	return []string{p.Program}
}

// noBytecode prevents Python from writing __pycache__ next to imported files.
const noBytecode = "PYTHONDONTWRITEBYTECODE"

// env returns additional variables for a program in an installed copy: a Python script must not change the copy, whose
// hash is recorded. A Python package's environment may contain caches; see pyenv.Digest.
func (p *product) env() map[string]string {
	if p.Origin != OriginProgram && p.Origin != OriginCommand {
		return nil
	}
	return map[string]string{noBytecode: "1"}
}

// prepare makes a source executable. known is the previous product.
func (c *Catalog) prepare(ctx context.Context, name string, known product, upgrade bool) (product, error) {
	source, path := c.config.Sources[name], c.sourcePath(name)
	if err := checkSource(source); err != nil {
		return product{}, err
	}
	if isURL(source) {
		return c.install(ctx, name, known, upgrade)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return product{}, nothingAt(source, err)
	case info.IsDir():
		return c.make(ctx, name, path, known)
	case !info.Mode().IsRegular():
		return product{}, fmt.Errorf("%s is neither a file nor a directory: %s", path, sourceForms)
	}
	return c.install(ctx, name, known, upgrade)
}

// make builds the package in a directory.
func (c *Catalog) make(ctx context.Context, name, dir string, known product) (product, error) {
	if command := c.config.Commands[name]; len(command) > 0 {
		return c.copyDirectory(name, dir, command, known)
	}
	language, err := languageOf(dir)
	if err != nil {
		return product{}, err
	}
	if language == OriginPython {
		return c.makePython(ctx, name, dir, known)
	}
	sources, _ := sourceDigest(ctx, dir) // before the build; empty if go build will fail
	program, err := c.build(ctx, name, dir, known)
	return product{Origin: OriginGo, Program: program, Sources: sources}, err
}

// copyDirectory copies a directory whose command is in the spec: a run keeps its copy while the directory is edited.
func (c *Catalog) copyDirectory(name, dir string, command []string, known product) (product, error) {
	files, sources, err := listDirectory(dir)
	if err != nil {
		return product{}, err
	}
	if known.Sources == sources && slices.Equal(known.Declared, command) {
		if hash, err := known.measure(); err == nil && hash == known.Hash {
			return known, nil
		}
	}
	root := c.copyPath(name, sources)
	home := filepath.Dir(root)
	if err := os.MkdirAll(home, 0o755); err != nil {
		return product{}, err
	}
	scratch, err := os.MkdirTemp(home, temporary)
	if err != nil {
		return product{}, err
	}
	defer func() { _ = removeCopy(scratch) }()
	fresh := filepath.Join(scratch, "content")
	if err = errors.Join(os.Mkdir(fresh, 0o755), archive.Copy(files, fresh, 0o444)); err == nil {
		err = settle(fresh, root)
	}
	if err != nil {
		return product{}, err
	}
	sweepCopies(home, root)
	p, err := inDirectory(root, root, command)
	p.Sources = sources
	return p, err
}

// listDirectory returns the files that copyDirectory copies, and their digest.
func listDirectory(dir string) (files []archive.Source, digest string, err error) {
	files, err = archive.List(dir, func(_, _ string, d fs.DirEntry) bool {
		return d.Name() == ".git" || d.Name() == "__pycache__" || strings.HasPrefix(d.Name(), ".awhost")
	})
	if err == nil {
		digest, err = archive.Digest(files)
	}
	return files, digest, err
}

// inDirectory returns the product of a copied directory. Words of the command that name files below dir become absolute
// paths, because the process runs in another directory.
func inDirectory(root, dir string, command []string) (product, error) {
	p := product{Origin: OriginCommand, Program: root, Root: root, Command: slices.Clone(command), Declared: command}
	for i, word := range command {
		path := filepath.Join(dir, filepath.FromSlash(word))
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && filepath.IsLocal(word) {
			p.Command[i] = path
		}
	}
	if _, err := exec.LookPath(p.Command[0]); err != nil {
		return product{}, fmt.Errorf("command %q: %q is neither a program in PATH nor an executable file of the source",
			command, command[0])
	}
	return p, setFolders(root, 0o555)
}

func (c *Catalog) makePython(ctx context.Context, name, dir string, known product) (product, error) {
	sources, err := pyenv.Sources(ctx, dir) // before the build
	if err != nil {
		return product{}, fmt.Errorf("build the Python package %s: %w", dir, err)
	}
	if known.Sources == sources {
		if hash, err := known.measure(); err == nil && hash == known.Hash {
			return known, nil
		}
	}
	config := pyenv.Config{Home: filepath.Join(c.pluginDir(name), "python"),
		Say: func(doing string) { c.say(name, doing) }}
	plugin, err := config.Build(ctx, name, dir)
	if err != nil {
		return product{}, err
	}
	return product{Origin: OriginPython, Program: plugin.Command[len(plugin.Command)-1], Command: plugin.Command,
		Root: plugin.Root, Deps: plugin.Deps, Sources: sources}, nil
}

// languageOf returns the kind of package in a directory.
func languageOf(dir string) (Origin, error) {
	sources, err := filepath.Glob(filepath.Join(escapeGlob(dir), "*.go"))
	if err != nil {
		return "", err
	}
	isPython := pyenv.IsPackage(dir)
	switch {
	case len(sources) > 0 && isPython:
		return "", fmt.Errorf("%s contains Go files and a pyproject.toml: keep the Go package and the Python package in "+
			"separate directories", dir)
	case len(sources) > 0:
		return OriginGo, nil
	case isPython:
		return OriginPython, nil
	}
	return "", fmt.Errorf("%s contains neither Go files nor a pyproject.toml: %s", dir, sourceForms)
}

// measure hashes the executed content.
func (p *product) measure() (string, error) { return p.measureWith(nil) }

// measureWith does not reread files with known checksums.
func (p *product) measureWith(sums *stamp.Sums) (string, error) {
	switch {
	case p.Deps != "":
		return pyenv.Digest(p.Root, p.Deps, sums)
	case len(p.Declared) > 0:
		sum, err := archive.HashTree(p.Root, sums)
		total := sha256.Sum256(fmt.Appendf(nil, "%s %q", sum, p.Declared))
		return "sha256:" + hex.EncodeToString(total[:]), err
	case p.Root != "":
		return archive.HashTree(p.Root, sums)
	}
	sum, err := sums.File(p.Program)
	return "sha256:" + sum, err
}
