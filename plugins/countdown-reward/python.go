package countdownreward

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strings"

	"github.com/awhost/awhost/sdk/answertext"
	"github.com/awhost/awhost/sdk/pytext"
)

// judgeAsReference judges as CountdownAnswerAsJudge does: it uses the first box anywhere, up to the first closing
// brace; any text in it earns the format score; a result within 1e-5 of the target is right. An exception of Python's
// eval counts as wrong, and so does a value over maxBits, on which the original would work for hours.
func judgeAsReference(text any, p problem) (verdict, error) {
	response, isText := text.(string)
	if !isText {
		const wrong = "the scored text must be a string, not %s (a TypeError in Python)"
		return verdict{}, fmt.Errorf(wrong, answertext.TypeName(text))
	}
	nums, isList := p.nums.([]any)
	if p.target == nil || !isList || len(nums) == 0 {
		return verdict{}, nil
	}
	box, found := answertext.FirstBox(response)
	if !found {
		return verdict{}, nil
	}
	v := verdict{Extracted: true, AnyBox: true, Numbers: sameAsInPython(integersOf(box), nums)}
	if !v.Numbers || !allowedInPython(box) {
		return v, nil
	}
	value, err := pythonEval(box)
	if err != nil {
		return v, nil
	}
	v.Readable, v.Target = true, value.near(p.target)
	return v, nil
}

// integersOf implements [int(n) for n in re.findall(r"\d+", text)], including digits of any script.
func integersOf(text string) []*big.Int {
	var all []*big.Int
	var digits strings.Builder
	flush := func() {
		if digits.Len() > 0 {
			n, _ := new(big.Int).SetString(digits.String()[:min(digits.Len(), maxDigitsOfInt)], 10)
			all = append(all, n)
			digits.Reset()
		}
	}
	for _, c := range text {
		if digit, ok := pytext.DecimalDigit(c); ok {
			digits.WriteByte(digit)
			continue
		}
		flush()
	}
	flush()
	return all
}

// maxDigitsOfInt is the limit of int() plus one: a number with more digits does not equal any other number.
const maxDigitsOfInt = 4301

// sameAsInPython compares sorted lists. Strings equal no integer.
func sameAsInPython(integers []*big.Int, nums []any) bool {
	var values []*big.Rat
	for _, n := range nums {
		number, isNumber := n.(json.Number)
		value, ok := new(big.Rat), false
		if isNumber && len(number) <= maxDigitsOfInt && smallExponent.MatchString(string(number)) {
			value, ok = value.SetString(string(number))
		}
		if !ok {
			return false
		}
		values = append(values, value)
	}
	var rationals []*big.Rat
	for _, n := range integers {
		rationals = append(rationals, new(big.Rat).SetInt(n))
	}
	return sameNumbers(rationals, values)
}

// smallExponent matches numbers in a dataset that have a small expansion.
var smallExponent = regexp.MustCompile(`^[^eE]*(?:[eE][+-]?\d{1,3})?$`)

// allowedInPython matches the original's regular expression ^[\d+\-*/().\s]+$ in Unicode.
func allowedInPython(box string) bool {
	return box != "" && !strings.ContainsFunc(box, func(c rune) bool {
		_, isDigit := pytext.DecimalDigit(c)
		return !isDigit && !pytext.IsSpace(c) && !strings.ContainsRune("+-*/().", c)
	})
}

// value is a Python number: an integer, or a float if integer is nil.
type value struct {
	integer *big.Int
	float   float64
}

// near reports whether abs(value - target) < 1e-5 for a target from JSON.
func (v value) near(target any) bool {
	number, isNumber := target.(json.Number)
	if !isNumber {
		return false // a TypeError
	}
	const tolerance = 1e-5
	if integer, ok := new(big.Int).SetString(string(number), 10); ok && len(number) <= maxDigitsOfInt {
		difference, err := v.minus(value{integer: integer})
		return err == nil && difference.magnitude() < tolerance
	}
	float, err := number.Float64()
	if err != nil && !math.IsInf(float, 0) {
		return false
	}
	difference, err := v.minus(value{float: float})
	return err == nil && difference.magnitude() < tolerance
}

// magnitude returns abs(value) as a float. Large integers are rounded, because only values below 1 matter.
func (v value) magnitude() float64 {
	if v.integer != nil {
		float, _ := new(big.Float).SetInt(v.integer).Float64()
		return math.Abs(float)
	}
	return math.Abs(v.float)
}

// asFloat returns float(value). A large integer causes an OverflowError.
func (v value) asFloat() (float64, error) {
	if v.integer == nil {
		return v.float, nil
	}
	float, _ := new(big.Rat).SetInt(v.integer).Float64()
	if math.IsInf(float, 0) {
		return 0, errPython
	}
	return float, nil
}

// asFloats converts both operands.
func asFloats(a, b value) (x, y float64, err error) {
	if x, err = a.asFloat(); err == nil {
		y, err = b.asFloat()
	}
	return x, y, err
}

// exact reports whether both are integers, so that the result is an integer.
func exact(a, b value) bool { return a.integer != nil && b.integer != nil }

func (v value) plus(w value) (value, error) {
	if exact(v, w) {
		return bounded(new(big.Int).Add(v.integer, w.integer))
	}
	x, y, err := asFloats(v, w)
	return value{float: x + y}, err
}

func (v value) minus(w value) (value, error) {
	if exact(v, w) {
		return bounded(new(big.Int).Sub(v.integer, w.integer))
	}
	x, y, err := asFloats(v, w)
	return value{float: x - y}, err
}

func (v value) times(w value) (value, error) {
	if exact(v, w) {
		return bounded(new(big.Int).Mul(v.integer, w.integer))
	}
	x, y, err := asFloats(v, w)
	return value{float: x * y}, err
}

func (v value) negative() value {
	if v.integer != nil {
		return value{integer: new(big.Int).Neg(v.integer)}
	}
	return value{float: -v.float}
}

// over implements true division, which rounds the quotient of two integers once.
func (v value) over(w value) (value, error) {
	if w.isZero() {
		return value{}, errPython
	}
	if exact(v, w) {
		quotient, _ := new(big.Rat).SetFrac(v.integer, w.integer).Float64()
		if math.IsInf(quotient, 0) {
			return value{}, errPython
		}
		return value{float: quotient}, nil
	}
	x, y, err := asFloats(v, w)
	return value{float: x / y}, err
}

// floor implements the // operator.
func (v value) floor(w value) (value, error) {
	if w.isZero() {
		return value{}, errPython
	}
	if exact(v, w) {
		quotient, remainder := new(big.Int).QuoRem(v.integer, w.integer, new(big.Int))
		if remainder.Sign() != 0 && (remainder.Sign() < 0) != (w.integer.Sign() < 0) {
			quotient.Sub(quotient, big.NewInt(1))
		}
		return value{integer: quotient}, nil
	}
	x, y, err := asFloats(v, w)
	return value{float: pytext.FloorDiv(x, y)}, err
}

// maxBits bounds integers. Python has no such limit, and computes 9**9**9 for hours.
const maxBits = 1 << 20

func bounded(n *big.Int) (value, error) {
	if n.BitLen() > maxBits {
		return value{}, errPython
	}
	return value{integer: n}, nil
}

func (v value) isZero() bool {
	return v.integer != nil && v.integer.Sign() == 0 || v.integer == nil && v.float == 0
}

// power implements the ** operator. An integer raised to a negative integer is a float. A negative number raised to a
// fraction is complex, which does not equal any target here.
func (v value) power(w value) (value, error) {
	if exact(v, w) && w.integer.Sign() >= 0 {
		small := v.integer.BitLen() <= 1
		if !small && (!w.integer.IsInt64() || w.integer.Int64() > maxBits/int64(v.integer.BitLen()-1)) {
			return value{}, errPython
		}
		if small && v.integer.Sign() < 0 && w.integer.Bit(0) == 0 {
			return value{integer: big.NewInt(1)}, nil
		}
		if small && w.integer.Sign() > 0 {
			return value{integer: new(big.Int).Set(v.integer)}, nil
		}
		return bounded(new(big.Int).Exp(v.integer, w.integer, nil))
	}
	x, y, err := asFloats(v, w)
	if err != nil || x == 0 && y < 0 || x < 0 && y != math.Trunc(y) && !math.IsInf(y, 0) {
		return value{}, errPython
	}
	result := math.Pow(x, y)
	if math.IsInf(result, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
		return value{}, errPython
	}
	return value{float: result}, nil
}
