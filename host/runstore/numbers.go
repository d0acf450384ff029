package runstore

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Numbers are named values. In JSON, values that are not finite are the strings "NaN", "+Inf" and "-Inf": a loss that
// became NaN is worth keeping, and JSON has no such number.
type Numbers map[string]float64

// MarshalJSON implements json.Marshaler.
func (n Numbers) MarshalJSON() ([]byte, error) {
	if len(n) > 0 && n.finite() {
		return json.Marshal(map[string]float64(n))
	}
	out := make(map[string]any, len(n))
	for name, value := range n {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			out[name] = strconv.FormatFloat(value, 'g', -1, 64)
			continue
		}
		out[name] = value
	}
	return json.Marshal(out)
}

func (n Numbers) finite() bool {
	for _, value := range n {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return false
		}
	}
	return true
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Numbers) UnmarshalJSON(data []byte) error {
	var raw map[string]any
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	*n = make(Numbers, len(raw))
	for name, value := range raw {
		number, err := parseNumber(value)
		if err != nil {
			return fmt.Errorf("number %s: %w", name, err)
		}
		(*n)[name] = number
	}
	return nil
}

func parseNumber(value any) (float64, error) {
	switch value := value.(type) {
	case float64:
		return value, nil
	case string:
		switch value {
		case "NaN":
			return math.NaN(), nil
		case "+Inf":
			return math.Inf(1), nil
		case "-Inf":
			return math.Inf(-1), nil
		}
	}
	return 0, fmt.Errorf("%v is not a number", value)
}

var (
	_ json.Marshaler   = Numbers(nil)
	_ json.Unmarshaler = (*Numbers)(nil)
)

// Column holds one number for each element of a list. In JSON, a number that is not finite is null, which means
// unknown.
type Column []float32

// MarshalJSON implements json.Marshaler.
func (c Column) MarshalJSON() ([]byte, error) {
	out := []byte{'['}
	for i, n := range c {
		if i > 0 {
			out = append(out, ',')
		}
		if n-n != 0 {
			out = append(out, "null"...)
			continue
		}
		out = strconv.AppendFloat(out, float64(n), 'g', -1, 32)
	}
	return append(out, ']'), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *Column) UnmarshalJSON(data []byte) error {
	var raw []*float32
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	*c = make(Column, len(raw))
	for i, n := range raw {
		(*c)[i] = float32(math.NaN())
		if n != nil {
			(*c)[i] = *n
		}
	}
	return nil
}

var (
	_ json.Marshaler   = Column(nil)
	_ json.Unmarshaler = (*Column)(nil)
)
