package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/awhost/awhost/host/internal/wholefile"
	"github.com/awhost/awhost/sdk"
)

// acceptance is the record of a source that the user has accepted: StateDir/plugins contains one JSON file per local
// name.
type acceptance struct {
	Format int    `json:"format"`
	Name   string `json:"name"`
	Source string `json:"source"` // as in the spec at that time
	Path   string `json:"path"`   // absolute path of the source, or its URL
	product
	Description json.RawMessage `json:"description"`
	Seal        string          `json:"seal"` // see seal.go
}

// acceptanceFormat is the version of the record.
const acceptanceFormat = 1

// maxRecordBytes limits the size of a record, which contains one description.
const maxRecordBytes = 2 * maxDescriptionBytes

// pluginDir returns the directory that contains a source's record and builds.
func (c *Catalog) pluginDir(name string) string {
	return filepath.Join(c.config.StateDir, "plugins", name)
}

func (c *Catalog) recordPath(name string) string {
	return filepath.Join(c.pluginDir(name), "accepted.json")
}

// consent returns the accepted record of a local name. Without a valid record, the error wraps ErrNotAccepted, and
// nothing from the source may be executed.
func (c *Catalog) consent(name string) (acceptance, error) {
	source, path := c.config.Sources[name], c.sourcePath(name)
	if err := checkSource(source); err != nil {
		return acceptance{}, err
	}
	text, err := readSmall(c.recordPath(name))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(path); err != nil && !isURL(path) {
			return acceptance{}, nothingAt(source, err)
		}
		return acceptance{}, fmt.Errorf("%w: run `awhost init` to build and describe %q (this executes its code)",
			ErrNotAccepted, source)
	}
	if err != nil {
		return acceptance{}, fmt.Errorf("%w: unreadable record: run `awhost init`: %w", ErrNotAccepted, err)
	}
	record, err := parseRecord(text)
	switch {
	case err != nil:
		return acceptance{}, fmt.Errorf("%w: the record %s %w", ErrNotAccepted, c.recordPath(name), err)
	case record.Name != name || record.Source != source:
		return acceptance{}, fmt.Errorf("%w: its source was %q and is now %q: run `awhost init`", ErrNotAccepted,
			record.Source, source)
	case !slices.Equal(record.Declared, c.config.Commands[name]):
		return acceptance{}, fmt.Errorf("%w: its command was %q and is now %q: run `awhost init`", ErrNotAccepted,
			record.Declared, c.config.Commands[name])
	case record.Path != path:
		return acceptance{}, fmt.Errorf("%w: it was accepted at %s and is now at %s: run `awhost init`", ErrNotAccepted,
			record.Path, path)
	}
	if err := c.checkSeal(record); err != nil {
		return acceptance{}, fmt.Errorf("%w: %w", ErrNotAccepted, err)
	}
	return record, nil
}

// parseRecord parses a record. The error continues the text "the record PATH …".
func parseRecord(text []byte) (acceptance, error) {
	var version struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(text, &version); err != nil {
		return acceptance{}, fmt.Errorf("is damaged: run `awhost init`: %w", err)
	}
	if version.Format != acceptanceFormat {
		return acceptance{}, fmt.Errorf("has format %d, but this awhost reads %d: use the awhost that wrote it, or run "+
			"`awhost init` to rewrite it", version.Format, acceptanceFormat)
	}
	var record acceptance
	if err := json.Unmarshal(text, &record); err != nil {
		return acceptance{}, fmt.Errorf("is damaged: run `awhost init`: %w", err)
	}
	return record, nil
}

// entry returns the entry of an accepted source if its program is unchanged.
func (c *Catalog) entry(record acceptance) (*Entry, error) {
	if err := c.checkInstalled(record); err != nil {
		return nil, err
	}
	hash, err := record.measure()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("its program %s is missing: run `awhost init`", record.Program)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: it changed since it was accepted: run `awhost init`: %w", ErrNotAccepted, err)
	}
	if hash != record.Hash {
		return nil, fmt.Errorf("%w: %s changed since it was accepted: run `awhost init`", ErrNotAccepted, record.Program)
	}
	// The check is repeated, because another version of the host may have accepted the plugin.
	description, err := c.readDescription(record.Name, record.Description)
	if err != nil {
		return nil, err
	}
	dir := ""
	if record.Origin == OriginGo && !record.installed() {
		dir = c.sourcePath(record.Name)
	}
	return &Entry{
		executable: &executable{
			product: record.product, name: record.Name, home: filepath.Join(c.pluginDir(record.Name), "started"), dir: dir,
		},
		Name: record.Name, Origin: record.Origin, Source: record.Source, Command: record.command(),
		Env: record.env(), Hash: hash, Description: *description,
	}, nil
}

// readDescription parses a plugin's description and checks that this host can use it under a local name.
func (c *Catalog) readDescription(name string, text []byte) (*sdk.Description, error) {
	description, err := sdk.ParseDescription(text)
	if err != nil {
		return nil, err
	}
	if err := checkFeatures(description); err != nil {
		return nil, err
	}
	return description, c.checkTypes(name, description)
}

// save writes a record unless it is unchanged. Readers see either the old record or the new one, never a partial
// record.
func (c *Catalog) save(record acceptance) error {
	text, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	path := c.recordPath(record.Name)
	if old, err := readSmall(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	return wholefile.Write(path, temporary, 0o600, wholefile.Text(text))
}

// temporary is the name pattern of temporary files, see sweep.
const temporary = ".tmp-*"

// readSmall reads a regular file of limited size. Other types of files are not opened.
func readSmall(path string) ([]byte, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxRecordBytes+1))
	if err == nil && len(text) > maxRecordBytes {
		err = fmt.Errorf("%s has more than %d bytes", path, maxRecordBytes)
	}
	return text, err
}

// openRegular opens a regular file: opening or reading a pipe or a device might block forever.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	return os.Open(path)
}
