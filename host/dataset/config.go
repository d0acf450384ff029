package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// The dataset types.
const (
	TypeJSONL       = "jsonl"
	TypeCSV         = "csv"
	TypeParquet     = "parquet"
	TypeHuggingFace = "huggingface"
	TypeMix         = "mix"
	TypeSplit       = "split"
	TypeEnvironment = "environment"
	TypePython      = "python"
	TypeCommand     = "command"
)

// Config is the body of a dataset block.
type Config struct {
	Type    string            `json:"-"` // the first label of the block
	Path    string            `json:"path"`
	Map     map[string]string `json:"map"`     // field of the task → column, with dots into nested objects and lists
	Private []string          `json:"private"` // columns and fields, in addition to ground_truth and answer
	// Template maps a field to text that contains columns: {{COLUMN}}.
	Template map[string]string `json:"template"`
	Extract  map[string]string `json:"extract"` // field → regular expression with one group
	Drop     []string          `json:"drop"`    // ignored columns
	Limit    int               `json:"limit"`   // maximum of rows, from the first; 0: all

	Delimiter     string `json:"delimiter"` // of csv
	Configuration string `json:"config"`    // of huggingface
	Split         string `json:"split"`     // of huggingface, split and environment

	Dataset     string  `json:"dataset"`     // of split: address of the dataset to divide
	Fraction    float64 `json:"fraction"`    // of split: the held-out fraction
	Parts       []Part  `json:"part"`        // of mix
	Size        int     `json:"size"`        // of mix: tasks; 0: until each task was drawn once
	Seed        int64   `json:"seed"`        // of mix and split
	Environment string  `json:"environment"` // of environment: address
	Pin         bool    `json:"pin"`         // of environment: the tasks are listed once

	Repo      string                     `json:"repo"`      // of huggingface: OWNER/NAME on a hub
	Revision  string                     `json:"revision"`  // of huggingface: of the repository
	TokenEnv  string                     `json:"token_env"` // of huggingface: the variable that contains the token
	File      string                     `json:"file"`      // of python
	Name      string                     `json:"name"`      // of python: the function in the file
	Arguments map[string]json.RawMessage `json:"arguments"` // of python
	Python    string                     `json:"python"`    // of python: the interpreter
	Venv      string                     `json:"venv"`      // of python
	Command   []string                   `json:"command"`   // of command
	Inputs    []string                   `json:"inputs"`    // of python and command: inputs of the rows
	PassEnv   []string                   `json:"pass_env"`  // of python and command
	Timeout   string                     `json:"timeout"`   // of python and command

	// Files lists the files of a prepared dataset: see package prepared.
	Files []string `json:"-"`
}

// Prepared reports whether `awhost init` must fetch, generate or list the rows before they can be read.
func (c Config) Prepared() bool {
	return c.Type == TypeHuggingFace && c.Repo != "" || c.Type == TypePython || c.Type == TypeCommand ||
		c.Type == TypeEnvironment && c.Pin
}

// Origin returns the attribute that determines the source of the rows.
func (c Config) Origin() string {
	switch {
	case c.Type == TypeHuggingFace && c.Repo != "":
		return "repo"
	case c.Type == TypePython:
		return "file"
	case c.Type == TypeCommand:
		return "command"
	case c.Type == TypeEnvironment:
		return "environment"
	}
	return "path"
}

// title returns the dataset's name as shown in messages.
func (c Config) title() string {
	switch {
	case c.Type == TypeHuggingFace && c.Repo != "":
		return c.Repo
	case c.Type == TypePython:
		return filepath.Base(c.File) + ":" + c.Name
	case c.Type == TypeCommand:
		return strings.Join(c.Command, " ")
	case c.Type == TypeEnvironment:
		return c.Environment
	}
	return c.Path
}

// Part is a dataset in a mix.
type Part struct {
	Dataset string  `json:"dataset"` // address
	Weight  float64 `json:"weight"`  // its share of the mix, relative to the other weights
}

// Sources returns the addresses of the datasets that this one is derived from. It returns nil for a dataset read from
// files.
func (c Config) Sources() []string {
	switch c.Type {
	case TypeSplit:
		return []string{c.Dataset}
	case TypeMix:
		var addresses []string
		for _, part := range c.Parts {
			addresses = append(addresses, part.Dataset)
		}
		return addresses
	}
	return nil
}

// Types lists the dataset types.
func Types() []string {
	return []string{
		TypeCommand, TypeCSV, TypeEnvironment, TypeHuggingFace, TypeJSONL, TypeMix, TypeParquet, TypePython, TypeSplit,
	}
}

// Decode decodes the configuration of a dataset block of the given type, after the schema has filled in the defaults.
// The error is a *ConfigError.
func Decode(typ string, config json.RawMessage) (Config, error) {
	c := Config{Type: typ}
	err := sdk.DecodeConfig(config, &c)
	if err == nil {
		return c, nil
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		return Config{}, &ConfigError{
			Attribute: strings.Split(
				wrong.Field,
				".",
			), Problem: "it cannot be a JSON " + wrong.Value, Remedy: "write " + sdk.WantedJSON(wrong.Type),
		}
	}
	return Config{}, &ConfigError{Problem: err.Error(), Remedy: fmt.Sprintf("see the reference of dataset %q", typ)}
}
