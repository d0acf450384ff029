package ajet

import (
	_ "embed"

	"go.yaml.in/yaml/v3"
)

// Key documents the conversion of an AgentJet key: To or Why is set, or both if the meaning differs.
type Key struct {
	Path string // below the root; a path that ends with ".*" covers all keys below it
	To   string // the place in the spec: "train.batch.group_size"
	Why  string // the reason why it is not converted, or the difference
	// Default is AgentJet's default, from its ajet_default.yaml of January 2026. It is empty if no default is converted.
	Default string
}

//go:embed keys.yaml
var keysText []byte

// Keys lists all keys in AgentJet's default configuration, in the same order, and the keys in its tutorial.
var Keys = readKeys()

func readKeys() (keys []Key) {
	if err := yaml.Unmarshal(keysText, &keys); err != nil {
		panic(err) // cannot happen: the file is embedded
	}
	return keys
}
