package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// TypeJSONL is the dataset type of JSON Lines files.
const TypeJSONL = "jsonl"

// Config is the body of a dataset block.
type Config struct {
	Type    string            `json:"-"` // the first label of the block
	Path    string            `json:"path"`
	Map     map[string]string `json:"map"`     // field of the task → column, with dots into nested objects
	Private []string          `json:"private"` // columns and fields that are private beside ground_truth and answer
	Extract map[string]string `json:"extract"` // field → regular expression with one group
	Limit   int               `json:"limit"`   // most rows, from the first; 0: all
}

// Types lists the dataset types.
func Types() []string { return []string{TypeJSONL} }

// Schema describes the block of a dataset type. It reports false for an unknown type.
func Schema(typ string) (schema.Block, bool) {
	if typ != TypeJSONL {
		return schema.Block{}, false
	}
	return schema.Block{
		Description: "A JSON Lines file: one JSON object, one task, per line.",
		Attributes: append([]schema.Attribute{
			schema.Path("path", "the file").Require().Example("data/train.jsonl"),
		}, rowAttributes()...),
	}, true
}

// rowAttributes are the same for every file format.
func rowAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.StringMap("map", "which column a field of the task comes from, with dots into nested objects; without it prompt, question or messages, ground_truth or answer, and id").
			Example(map[string]string{"prompt": "question", "ground_truth": "reward_model.ground_truth"}),
		schema.StringMap("extract", "regular expressions with one group; the group replaces the field").
			Example(map[string]string{"ground_truth": "#### (.*)"}),
		schema.Strings("private", "columns that agents and tools never see; ground_truth and answer are always private").
			Default([]string{fieldGroundTruth}),
		schema.Number("limit", "read only the first rows; 0 means all").Default(0).AtLeast(0).In("rows"),
	}
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
	case reflect.Int:
		return "a whole number"
	case reflect.Slice:
		return "a list of names"
	case reflect.Map:
		return "a map from field to text"
	}
	return "a text"
}
