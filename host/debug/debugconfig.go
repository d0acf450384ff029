package debug

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/awhost/awhost/host/internal/wholefile"
)

// debugConfig is a launch.json entry with which VS Code attaches to a listening debugger.
type debugConfig struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Request string   `json:"request"`
	Mode    string   `json:"mode,omitempty"`
	Host    string   `json:"host,omitempty"`
	Port    int      `json:"port,omitempty"`
	Connect *connect `json:"connect,omitempty"`
}

type connect struct {
	Host string `json:"host"`
	Port int    `json:"port"`
}

// debugConfigFor returns the entry for a target's debugger that uses a port.
func debugConfigFor(t Target) (debugConfig, error) {
	host, text, err := net.SplitHostPort(t.Listen)
	if err != nil {
		return debugConfig{}, err
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		return debugConfig{}, err
	}
	c := debugConfig{Name: "awhost: " + t.Address, Type: "debugpy", Request: "attach", Connect: &connect{host, port}}
	if t.Tool == Delve {
		c = debugConfig{Name: c.Name, Type: "go", Request: "attach", Mode: "remote", Host: host, Port: port}
	}
	return c, nil
}

// WriteDebugConfig adds entries for the targets' debuggers to a launch.json file. It does not change existing content.
// kept lists existing entries that have the name of an added entry.
func WriteDebugConfig(path string, targets []Target) (added, kept []string, err error) {
	var wanted []debugConfig
	for _, t := range targets {
		c, err := debugConfigFor(t)
		if err != nil {
			return nil, nil, err
		}
		wanted = append(wanted, c)
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = []byte("{\n    \"version\": \"0.2.0\",\n    \"configurations\": []\n}\n"), nil
	}
	if err != nil {
		return nil, nil, err
	}
	present, err := entries(text, "configurations")
	if err != nil {
		return nil, nil, fmt.Errorf("%s is not changed: %w; add this to its configurations:\n%s", path,
			err, indented(wanted))
	}
	for _, c := range wanted {
		if slices.Contains(present.names, c.Name) {
			kept = append(kept, c.Name)
			continue
		}
		added = append(added, c.Name)
		text, present.place = insert(text, present.place, present.empty, c)
		present.empty = false
	}
	if len(wanted) > 1 && len(added) > 0 {
		text = withCompound(text, wanted)
		added = append(added, compoundName)
	}
	if len(added) == 0 {
		return nil, kept, nil
	}
	return added, kept, replace(path, text)
}

// compoundName is the name of the entry that attaches to all plugins at once.
const compoundName = "awhost: all plugins"

// compound is a launch.json entry that starts several other entries.
type compound struct {
	Name           string   `json:"name"`
	Configurations []string `json:"configurations"`
}

// withCompound adds a compound that contains all entries. If the file has no list of compounds, it adds one at the
// beginning.
func withCompound(text []byte, wanted []debugConfig) []byte {
	all := compound{Name: compoundName}
	for _, c := range wanted {
		all.Configurations = append(all.Configurations, c.Name)
	}
	present, err := entries(text, "compounds")
	if err == nil && slices.Contains(present.names, compoundName) {
		return text
	}
	if err == nil {
		text, _ = insert(text, present.place, present.empty, all)
		return text
	}
	place := bytes.IndexByte(text, '{') + 1
	list := "\n    \"compounds\": " + strings.ReplaceAll(indented([]compound{all}), "\n", "\n    ") + ","
	return slices.Concat(text[:place], []byte(list), text[place:])
}

// replace replaces a file atomically. It follows symbolic links and preserves the file's mode.
func replace(path string, text []byte) error {
	mode := fs.FileMode(0o644)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	return wholefile.Write(path, ".launch.json-*", mode, wholefile.Text(text))
}

// listed holds the entries in a launch.json file: their names, and the position after the last one.
type listed struct {
	names []string
	place int
	empty bool
}

var errNoJSON = errors.New("the file contains comments or is not JSON")

// entries parses a list in launch.json: its configurations or its compounds.
func entries(text []byte, list string) (*listed, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return nil, errors.New("the file is not a JSON object without comments")
	}
	var out *listed
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, errNoJSON
		}
		if key != list {
			var skipped json.RawMessage
			if decoder.Decode(&skipped) != nil {
				return nil, errNoJSON
			}
			continue
		}
		if out == nil {
			out = &listed{}
		}
		if err := out.read(decoder); err != nil {
			return nil, err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return nil, errNoJSON
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the file contains data after its object")
	}
	if out == nil {
		return nil, fmt.Errorf("the file has no %s", list)
	}
	return out, nil
}

// read parses a list of entries.
func (l *listed) read(decoder *json.Decoder) error {
	if token, err := decoder.Token(); err != nil || token != json.Delim('[') {
		return errors.New("configurations is not a list")
	}
	l.place, l.empty = int(decoder.InputOffset()), true
	for decoder.More() {
		var c struct {
			Name string `json:"name"`
		}
		if decoder.Decode(&c) != nil {
			return errNoJSON
		}
		l.names, l.place, l.empty = append(l.names, c.Name), int(decoder.InputOffset()), false
	}
	if _, err := decoder.Token(); err != nil {
		return errNoJSON
	}
	return nil
}

// insert inserts an entry at a position in the list and returns the position after it.
func insert(text []byte, place int, first bool, c any) ([]byte, int) {
	entry := "\n        " + strings.ReplaceAll(indented(c), "\n", "\n        ")
	if !first {
		entry = "," + entry
	}
	end := place + len(entry)
	if first && bytes.HasPrefix(text[place:], []byte("]")) {
		entry += "\n    "
	}
	return slices.Concat(text[:place], []byte(entry), text[place:]), end
}

func indented(v any) string {
	text, err := json.MarshalIndent(v, "", "    ")
	if err != nil {
		panic(err) // only strings and numbers
	}
	return string(text)
}
