package sdk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// DecodeConfig reads a configuration object into a struct with JSON tags. Unknown fields and trailing data are errors,
// because the schema and the struct must agree.
func DecodeConfig(config json.RawMessage, into any) error {
	if len(config) == 0 {
		config = json.RawMessage("{}")
	}
	decoder := json.NewDecoder(bytes.NewReader(config))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("decode configuration: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return fmt.Errorf("decode configuration: data after the object")
	}
	return nil
}
