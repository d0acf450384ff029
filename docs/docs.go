// Package docs contains the documents that the program itself prints.
package docs

import _ "embed"

// EventSchema is the JSON Schema of each line of `--json`.
//
//go:embed events.schema.json
var EventSchema string

// CommandSchema is the JSON Schema of the output of the other commands with --json.
//
//go:embed commands.schema.json
var CommandSchema string
