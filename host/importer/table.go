package importer

import (
	"embed"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Key documents the conversion of a key: To or Why is set, or both if the meaning differs.
type Key struct {
	Path string // a key, or a pattern of [path.Match]
	// Paths replaces Path in the files: several keys with the same conversion.
	Paths []string `yaml:",omitempty"`
	To    string   // the place in the spec: "train.batch.group_size"
	Why   string   // the reason why it is not converted, or the difference
	// Owned means that awhost sets the key itself.
	Owned bool
	// Default is the system's default. It is empty if no default is converted.
	Default string
	// As converts the value to the attribute that To names: number, whole, positive (a whole number, or nothing up to
	// 0), bool, text, list, or any. The code of the system converts keys without it.
	As     string
	Values map[string]string // by value of the key: the attribute's; others have no counterpart
	Most   *float64          // the attribute's maximum
}

//go:embed keys/*.yaml
var keyFiles embed.FS

// readKeys returns the entries of the named tables in the folder keys. NAME in a place of the spec is the first name.
func readKeys(names ...string) (keys []Key) {
	for _, name := range names {
		text, err := keyFiles.ReadFile("keys/" + name + ".yaml")
		var part []Key
		if err == nil {
			err = yaml.Unmarshal(text, &part)
		}
		if err != nil {
			panic(err) // cannot happen: the file is embedded
		}
		for _, key := range part {
			key.To = strings.ReplaceAll(key.To, "NAME", names[0])
			paths := append(key.Paths, key.Path)
			key.Paths = nil
			for _, key.Path = range slices.DeleteFunc(paths, func(path string) bool { return path == "" }) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// keyOf returns the first entry of the table that covers a key.
func (s *System) keyOf(name string) (Key, bool) {
	for _, key := range s.Keys {
		if covers, _ := path.Match(key.Path, name); covers {
			return key, true
		}
	}
	return Key{}, false
}
