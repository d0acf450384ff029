// Package docs holds the documents that the program prints itself.
package docs

import _ "embed"

// EventSchema is the JSON Schema of every line of `--json`.
//
//go:embed events.schema.json
var EventSchema string

// CommandSchema is the JSON Schema of what the other commands print with --json.
//
//go:embed commands.schema.json
var CommandSchema string
