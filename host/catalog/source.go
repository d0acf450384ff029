package catalog

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/host/catalog/internal/archive"
	"github.com/awhost/awhost/host/catalog/internal/pyenv"
	"github.com/awhost/awhost/host/catalog/internal/stamp"
)

// sourceForms lists the possible forms of a source and is appended to messages.
const sourceForms = "a source is a program, an archive (.tar.gz, .zip), the URL of either, or a directory with a Go or a Python package"

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
	if p.Origin != OriginProgram {
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
	case p.Root != "":
		return archive.HashTree(p.Root, sums)
	}
	sum, err := sums.File(p.Program)
	return "sha256:" + sum, err
}
