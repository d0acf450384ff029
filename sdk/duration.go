package sdk

import "time"

// Duration is a time.Duration in the struct that a configuration is decoded into, in the format of schema.Duration:
// "90s".
type Duration time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	*d = Duration(parsed)
	return err
}
