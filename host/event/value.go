package event

import (
	"encoding/json"
	"math"
	"strconv"
	"time"
)

// Value is a number that may be missing. The zero Value is missing, so that unmeasured values do not have to be 0. In
// JSON, a missing or non-finite number is null.
type Value struct {
	number float64
	known  bool
}

// Known returns a measured number. It may be NaN or infinite, and views display these values.
func Known(number float64) Value { return Value{number: number, known: true} }

// Optional returns a measured number, or a missing one if number is nil.
func Optional(number *float64) Value {
	if number == nil {
		return Value{}
	}
	return Known(*number)
}

// Get returns the number and whether it is known.
func (v Value) Get() (number float64, known bool) { return v.number, v.known }

// Finite returns the number and whether it is known and finite.
func (v Value) Finite() (number float64, finite bool) {
	return v.number, v.known && isFinite(v.number)
}

// Equal reports whether both are missing or hold the same number. NaN equals NaN.
func (v Value) Equal(other Value) bool {
	if v.known != other.known {
		return false
	}
	return v.number == other.number || math.IsNaN(v.number) && math.IsNaN(other.number)
}

// String returns the shortest form of the number, or "-".
func (v Value) String() string {
	if !v.known {
		return "-"
	}
	return strconv.FormatFloat(v.number, 'g', -1, 64)
}

// MarshalJSON implements json.Marshaler.
func (v Value) MarshalJSON() ([]byte, error) {
	if !v.known {
		return []byte("null"), nil
	}
	return marshalFloat(v.number)
}

// Metrics maps names to numbers: "train/reward", "validation/success_rate". In JSON, a non-finite number is null, and
// empty Metrics are {}.
type Metrics map[string]float64

// MarshalJSON implements json.Marshaler. The names are sorted.
func (m Metrics) MarshalJSON() ([]byte, error) {
	values := make(map[string]Value, len(m))
	for name, number := range m {
		values[name] = Known(number)
	}
	return json.Marshal(values)
}

// Outputs maps the names of a spec's output blocks to their JSON values.
type Outputs map[string]json.RawMessage

// Seconds is a duration in seconds, the unit of the JSON form.
type Seconds float64

// SecondsOf converts a duration to seconds.
func SecondsOf(d time.Duration) Seconds { return Seconds(d.Seconds()) }

// Duration converts seconds to a duration. Out-of-range values become the largest duration.
func (s Seconds) Duration() time.Duration {
	nanoseconds := float64(s) * float64(time.Second)
	if !(math.Abs(nanoseconds) < math.MaxInt64) {
		return math.MaxInt64
	}
	return time.Duration(nanoseconds)
}

// MarshalJSON implements json.Marshaler.
func (s Seconds) MarshalJSON() ([]byte, error) { return marshalFloat(float64(s)) }

func marshalFloat(number float64) ([]byte, error) {
	if !isFinite(number) {
		return []byte("null"), nil
	}
	return json.Marshal(number)
}

func isFinite(number float64) bool { return !math.IsNaN(number) && !math.IsInf(number, 0) }

var (
	_ json.Marshaler = Value{}
	_ json.Marshaler = Metrics(nil)
	_ json.Marshaler = Seconds(0)
)
