package ajet

import (
	_ "embed"

	"go.yaml.in/yaml/v3"
)

// Key documents what becomes of a key of AgentJet's configuration: To or Why, or both where something is different.
type Key struct {
	Path string // below the root; a path that ends with ".*" stands for all keys below it
	To   string // the place in the spec: "train.batch.group_size"
	Why  string // why it is not carried, or what is different
	// Default is AgentJet's own, of its ajet_default.yaml of January 2026. It is empty if no default is carried.
	Default string
}

//go:embed keys.yaml
var keysText []byte

// Keys are all keys of AgentJet's default configuration, in its order, and those of its tutorial.
var Keys = readKeys()

func readKeys() (keys []Key) {
	if err := yaml.Unmarshal(keysText, &keys); err != nil {
		panic(err) // a file of this package
	}
	return keys
}
