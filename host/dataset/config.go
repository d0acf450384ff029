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
)

// Config is the body of a dataset block.
type Config struct {
	Type    string            `json:"-"` // the first label of the block
	Path    string            `json:"path"`
	Map     map[string]string `json:"map"`     // field of the task → column, with dots into nested objects and lists
	Private []string          `json:"private"` // columns and fields that are private beside ground_truth and answer
	Extract map[string]string `json:"extract"` // field → regular expression with one group
	Drop    []string          `json:"drop"`    // columns that are not read
	Limit   int               `json:"limit"`   // most rows, from the first; 0: all

	Delimiter     string `json:"delimiter"` // of csv
	Configuration string `json:"config"`    // of huggingface
	Split         string `json:"split"`     // of huggingface
}

// Types lists the dataset types.
func Types() []string { return []string{TypeCSV, TypeHuggingFace, TypeJSONL, TypeParquet} }

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
	case reflect.Int:
		return "a whole number"
	case reflect.Slice:
		return "a list of names"
	case reflect.Map:
		return "a map from field to text"
	}
	return "a text"
}
