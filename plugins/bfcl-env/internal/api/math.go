package api

import (
	"errors"
	"math"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// mathAPI has no state.
type mathAPI struct{}

func (*mathAPI) Load(*py.Dict) error { return nil }
func (*mathAPI) Public() *py.Dict    { return py.NewDict() }
func (*mathAPI) Private() *py.Dict   { return py.NewDict() }

func init() {
	c := newClass[mathAPI]("MathAPI", func(*World) Instance { return &mathAPI{} })
	c.method("logarithm", "value, base, precision", (*mathAPI).logarithm)
	c.method("mean", "numbers", (*mathAPI).mean)
	c.method("standard_deviation", "numbers", (*mathAPI).standardDeviation)
	c.method("si_unit_conversion", "value, unit_in, unit_out", (*mathAPI).siUnitConversion)
	c.method("imperial_si_conversion", "value, unit_in, unit_out", (*mathAPI).imperialConversion)
	c.method("add", "a, b", binary(py.Add))
	c.method("subtract", "a, b", binary(py.Sub))
	c.method("multiply", "a, b", (*mathAPI).multiply)
	c.method("divide", "a, b", (*mathAPI).divide)
	c.method("power", "base, exponent", binary(py.Pow))
	c.method("square_root", "number, precision", (*mathAPI).squareRoot)
	c.method("absolute_value", "number", (*mathAPI).absoluteValue)
	c.method("round_number", "number, decimal_places=0", (*mathAPI).roundNumber)
	c.method("percentage", "part, whole", (*mathAPI).percentage)
	c.method("min_value", "numbers", ofList("Cannot find minimum of an empty list", py.Min))
	c.method("max_value", "numbers", ofList("Cannot find maximum of an empty list", py.Max))
	c.method("sum_values", "numbers", ofList("Cannot calculate sum of an empty list", py.Sum))
}

func result(v py.Value) py.Value   { return py.NewDict("result", v) }
func failure(text string) py.Value { return py.NewDict("error", text) }
func isTypeError(err error) bool   { return isError(err, "TypeError") }
func isError(err error, typ string) bool {
	raised, ok := errors.AsType[*py.Error](err)
	return ok && raised.Type == typ
}

// isNumber reports whether isinstance(v, (int, float)).
func isNumber(v py.Value) bool {
	switch py.TypeName(v) {
	case "int", "float", "bool":
		return true
	}
	return false
}

// answer returns the result, or a specific message for a TypeError; other errors are raised.
func answer(v py.Value, err error, onTypeError string) py.Value {
	if isTypeError(err) {
		return failure(onTypeError)
	}
	return result(py.Must(v, err))
}

const (
	bothNumbers = "Both inputs must be numbers"
	allNumbers  = "All elements in the list must be numbers"
)

func binary(operate func(a, b py.Value) (py.Value, error)) func(*mathAPI, []py.Value) py.Value {
	return func(_ *mathAPI, a []py.Value) py.Value {
		v, err := operate(a[0], a[1])
		return answer(v, err, bothNumbers)
	}
}

func ofList(empty string, operate func(items []py.Value) (py.Value, error)) func(*mathAPI, []py.Value) py.Value {
	return func(_ *mathAPI, a []py.Value) py.Value {
		if !py.Truth(a[0]) {
			return failure(empty)
		}
		items, err := py.Iterate(a[0])
		if err != nil {
			return answer(nil, err, allNumbers)
		}
		v, err := operate(items)
		return answer(v, err, allNumbers)
	}
}

func (*mathAPI) logarithm(a []py.Value) py.Value {
	digits, err := precision(a[2])
	var v py.Value
	if err == nil {
		v, err = py.LogRatio(a[0], a[1], digits)
	}
	if raised, ok := errors.AsType[*py.Error](err); ok {
		return failure(raised.Text)
	}
	return result(py.Must(v, err))
}

// precision returns int(v), clamped to fit in an int.
func precision(v py.Value) (int, error) {
	whole, err := py.Int(v)
	if n, ok := whole.(int); ok || err != nil {
		return n, err
	}
	return math.MaxInt32, nil
}

func meanOf(v py.Value) (items []py.Value, mean py.Value, err error) {
	defer py.Catch(&err)
	items = py.Must(py.Iterate(v))
	return items, py.Must(py.TrueDiv(py.Must(py.Sum(items)), len(items))), nil
}

func (*mathAPI) mean(a []py.Value) py.Value {
	if !py.Truth(a[0]) {
		return failure("Cannot calculate mean of an empty list")
	}
	_, mean, err := meanOf(a[0])
	return answer(mean, err, allNumbers)
}

func (*mathAPI) standardDeviation(a []py.Value) py.Value {
	if !py.Truth(a[0]) {
		return failure("Cannot calculate standard deviation of an empty list")
	}
	v, err := deviation(a[0])
	return answer(v, err, allNumbers)
}

func deviation(v py.Value) (root py.Value, err error) {
	defer py.Catch(&err)
	items, mean, err := meanOf(v)
	py.Check(err)
	squares := make([]py.Value, len(items))
	for i, item := range items {
		squares[i] = py.Must(py.Pow(py.Must(py.Sub(item, mean)), 2))
	}
	return math.Sqrt(py.Must(py.Float(py.Must(py.TrueDiv(py.Must(py.Sum(squares)), len(items)))))), nil
}

// meters holds the conversion factors for the supported units. A value is a float if it is one in Python.
var meters = py.NewDict("km", 1000, "m", 1, "cm", 0.01, "mm", 0.001, "um", 1e-6, "nm", 1e-9)

func (*mathAPI) siUnitConversion(a []py.Value) py.Value {
	value, in, out := a[0], a[1], a[2]
	if !isNumber(value) {
		return failure("Value must be a number")
	}
	for _, unit := range []py.Value{in, out} {
		if !py.Must(py.In(unit, meters)) {
			return failure("Conversion from '" + py.Str(in) + "' to '" + py.Str(out) + "' is not supported")
		}
	}
	v, err := py.Mul(value, meters.Or(in, nil))
	if err == nil {
		v, err = py.Mul(v, py.Must(py.TrueDiv(1, meters.Or(out, nil))))
	}
	return converted(v, err)
}

func converted(v py.Value, err error) py.Value {
	if isError(err, "OverflowError") {
		return failure("Conversion resulted in a value too large to represent")
	}
	return result(py.Must(v, err))
}

var imperial = map[string]float64{
	"cm_to_in": 0.393701, "in_to_cm": 2.54, "m_to_ft": 3.28084, "ft_to_m": 0.3048, "m_to_yd": 1.09361, "yd_to_m": 0.9144,
	"km_to_miles": 0.621371, "miles_to_km": 1.60934, "kg_to_lb": 2.20462, "lb_to_kg": 0.453592,
	"celsius_to_fahrenheit": 1.8, "fahrenheit_to_celsius": 5. / 9,
}

func (*mathAPI) imperialConversion(a []py.Value) py.Value {
	value, in, out := a[0], a[1], a[2]
	if !isNumber(value) {
		return failure("Value must be a number")
	}
	if py.Equal(in, out) {
		return result(value)
	}
	factor, ok := imperial[py.Str(in)+"_to_"+py.Str(out)]
	if !ok {
		return failure("Conversion from '" + py.Str(in) + "' to '" + py.Str(out) + "' is not supported")
	}
	var err error
	switch {
	case in == "celsius" && out == "fahrenheit":
		if value, err = py.Mul(value, factor); err == nil {
			value, err = py.Add(value, 32)
		}
	case in == "fahrenheit" && out == "celsius":
		if value, err = py.Sub(value, 32); err == nil {
			value, err = py.Mul(value, factor)
		}
	default:
		value, err = py.Mul(value, factor)
	}
	return converted(value, err)
}

func (*mathAPI) multiply(a []py.Value) py.Value {
	if !isNumber(a[0]) || !isNumber(a[1]) {
		return failure(bothNumbers)
	}
	v, err := py.Mul(a[0], a[1])
	return answer(v, err, bothNumbers)
}

func (*mathAPI) divide(a []py.Value) py.Value {
	if py.Equal(a[1], 0) {
		return failure("Cannot divide by zero")
	}
	v, err := py.TrueDiv(a[0], a[1])
	return answer(v, err, bothNumbers)
}

func (*mathAPI) squareRoot(a []py.Value) py.Value {
	const invalid = "Input must be a number or computation resulted in an invalid operation"
	negative, err := py.Less(a[0], 0)
	switch {
	case err != nil:
		return answer(nil, err, invalid)
	case negative:
		return failure("Cannot calculate square root of a negative number")
	}
	digits, ok := py.BigInt(a[1])
	if !ok {
		return failure(invalid)
	}
	bounded := math.MaxInt32
	if digits.IsInt64() {
		bounded = int(digits.Int64())
	}
	v, err := py.DecimalSqrt(a[0], bounded)
	if isError(err, "InvalidOperation") {
		return failure(invalid)
	}
	return answer(v, err, invalid)
}

func (*mathAPI) absoluteValue(a []py.Value) py.Value {
	v, err := py.Abs(a[0])
	return answer(v, err, "Input must be a number")
}

func (*mathAPI) roundNumber(a []py.Value) py.Value {
	v, err := py.RoundTo(a[0], a[1])
	return answer(v, err, "First input must be a number, second input must be an integer")
}

func (*mathAPI) percentage(a []py.Value) py.Value {
	if py.Equal(a[1], 0) {
		return failure("Whole value cannot be zero")
	}
	v, err := py.TrueDiv(a[0], a[1])
	if err == nil {
		v, err = py.Mul(v, 100)
	}
	return answer(v, err, bothNumbers)
}

var _ Instance = (*mathAPI)(nil)
