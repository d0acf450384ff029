package sdk

import "time"

// Duration is a time.Duration in the format of schema.Duration ("90s"), for structs into which a configuration is
// decoded.
type Duration time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	*d = Duration(parsed)
	return err
}
