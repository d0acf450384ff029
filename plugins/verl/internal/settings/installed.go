package settings

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/sdk/framework"
)

// Installed is a verl on disk. It is read, never run: importing verl takes torch and seconds.
type Installed struct {
	framework.Installed
	Version        string // as verl says it: "0.9.1", "0.8.0.dev"
	RequiresPython string // of verl's metadata, ">=3.10"; empty: unknown
	release        release
	schemas        map[string]*framework.Schema
}

var verl = framework.Framework{
	Name: "verl", Package: "verl", Marker: "verl/trainer/config/_generated_ppo_trainer.yaml",
	Install: "pip install verl==0.9.1",
}

// Find looks for the verl of a Python, as framework.Find does.
func Find(python string) (*Installed, error) {
	found, err := verl.Find(python, "")
	if err != nil {
		return nil, err
	}
	out := &Installed{Installed: *found}
	return out, out.readVersion()
}

func (i *Installed) readVersion() error {
	metadata, _ := filepath.Glob(filepath.Join(i.Root, "verl-*.dist-info", "METADATA")) // the pattern is ours
	for _, path := range metadata {
		i.readMetadata(path)
	}
	text, err := os.ReadFile(filepath.Join(i.Root, "verl", "version", "version"))
	switch {
	case err == nil:
		i.Version = strings.TrimSpace(string(text)) // of the code itself; metadata of an editable installation may be older
	case !errors.Is(err, fs.ErrNotExist) || i.Version == "":
		return fmt.Errorf("read the version of verl in %s: %w", i.Root, err)
	}
	if i.release, err = framework.ParseRelease(i.Version); err != nil {
		return fmt.Errorf("read the version of verl in %s: %w", i.Root, err)
	}
	return nil
}

// readMetadata reads the headers of a distribution.
func (i *Installed) readMetadata(path string) {
	file, err := os.Open(path)
	if err != nil {
		return // the version file says it too
	}
	defer file.Close()
	for scan := bufio.NewScanner(file); scan.Scan() && scan.Text() != ""; {
		name, value, _ := strings.Cut(scan.Text(), ":")
		switch name {
		case "Version":
			i.Version = strings.TrimSpace(value)
		case "Requires-Python":
			i.RequiresPython = strings.TrimSpace(value)
		}
	}
}
