package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
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
)

// Config is the body of a dataset block.
type Config struct {
	Type    string            `json:"-"` // the first label of the block
	Path    string            `json:"path"`
	Map     map[string]string `json:"map"`     // field of the task → column, with dots into nested objects and lists
	Private []string          `json:"private"` // columns and fields that are private beside ground_truth and answer
	// Template makes a field of the texts of columns: {{COLUMN}}.
	Template map[string]string `json:"template"`
	Extract  map[string]string `json:"extract"` // field → regular expression with one group
	Drop     []string          `json:"drop"`    // columns that are not read
	Limit    int               `json:"limit"`   // most rows, from the first; 0: all

	Delimiter     string `json:"delimiter"` // of csv
	Configuration string `json:"config"`    // of huggingface
	Split         string `json:"split"`     // of huggingface, split and environment

	Dataset     string  `json:"dataset"`     // of split: address of the dataset to divide
	Fraction    float64 `json:"fraction"`    // of split: how much is held out
	Parts       []Part  `json:"part"`        // of mix
	Size        int     `json:"size"`        // of mix: tasks; 0: as many as it takes to have each once
	Seed        int64   `json:"seed"`        // of mix and split
	Environment string  `json:"environment"` // of environment: address
}

// Part is a dataset in a mix.
type Part struct {
	Dataset string  `json:"dataset"` // address
	Weight  float64 `json:"weight"`  // its share of the mix, relative to the other weights
}

// Sources are the addresses of the datasets that this one is made of; none for one that reads files.
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
	return []string{TypeCSV, TypeEnvironment, TypeHuggingFace, TypeJSONL, TypeMix, TypeParquet, TypeSplit}
}

// Decode reads the configuration of a dataset block of the given type, as the schema completes it. The error is a
// *ConfigError.
func Decode(typ string, config json.RawMessage) (Config, error) {
	c := Config{Type: typ}
	err := sdk.DecodeConfig(config, &c)
	if err == nil {
		return c, nil
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		return Config{}, &ConfigError{
			Attribute: strings.Split(wrong.Field, "."), Problem: "it cannot be a JSON " + wrong.Value, Remedy: "write " + goodValue(wrong.Type),
		}
	}
	return Config{}, &ConfigError{Problem: err.Error(), Remedy: fmt.Sprintf("see the reference of dataset %q", typ)}
}

func goodValue(typ reflect.Type) string {
	switch typ.Kind() {
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Slice:
		return "a list of names"
	case reflect.Float64:
		return "a number"
	case reflect.Map:
		return "a map from field to text"
	}
	return "a text"
}
