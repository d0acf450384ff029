package mathreward

import (
	"errors"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/awhost/awhost/sdk/answertext"
)

// number is an evaluated expression.
type number struct {
	value sum
	// literal: the number was written as a single number, optionally with a sign.
	literal bool
	// calculated: evaluating it required arithmetic that the author had not carried out, such as 48/2 or 1+2.
	calculated bool
}

var (
	errNoNumber = errors.New("not a number")
	errDepth    = errors.New("parentheses nest too deeply")
)

// Number literals: plain ones, and ones that use commas or spaces as thousands separators.
var (
	plainNumber   = regexp.MustCompile(`^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4}\b)?`)
	groupedNumber = regexp.MustCompile(`^\d{1,3}(?:(?:,\d{3})+|(?: \d{3})+)(?:\.\d+)?`)
	moreDigits    = regexp.MustCompile(`^(?:[,. ]?\d)`)
	mixedNumber   = regexp.MustCompile(`^(\d+) (\d+)/(\d+)\b`)
)

// Limits on an expression, in addition to the limits on a string (answertext.MostBytes) and on numbers.
const (
	maxDepth    = 40
	maxExponent = 1000
)

// parser evaluates an expression in the notation of answertext.Plain while it reads it:
//
//	sum     = [sign] product { sign product }
//	product = power { ("*" | "/") power | power }
//	power   = base [ "^" ["-"] base ]
//	base    = number | "π" | "√" base | "(" sum ")" | "(" sum "⁄" sum ")"
type parser struct {
	text    string
	at      int
	depth   int
	grouped bool // thousands separators are allowed
}

// evaluate evaluates the longest expression at the beginning of a string and returns the rest.
func evaluate(text string, grouped bool) (number, string, error) {
	p := parser{text: text, grouped: grouped}
	n, err := p.sum()
	if err != nil {
		return number{}, "", err
	}
	return n, text[p.at:], nil
}

func (p *parser) skip() {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
}

// take skips spaces, and consumes one of the characters if it comes next.
func (p *parser) take(characters string) (rune, bool) {
	start := p.at
	p.skip()
	c, size := utf8.DecodeRuneInString(p.text[p.at:])
	if size == 0 || !strings.ContainsRune(characters, c) {
		p.at = start
		return 0, false
	}
	p.at += size
	return c, true
}

func (p *parser) sum() (number, error) {
	sign, signed := p.take("+-")
	total, err := p.product()
	if err != nil {
		return number{}, err
	}
	if signed && sign == '-' {
		total.value = total.value.scaled(big.NewRat(-1, 1))
	}
	for {
		before := p.at
		sign, more := p.take("+-")
		if !more {
			return total, nil
		}
		term, err := p.product()
		if errors.Is(err, errNoNumber) {
			p.at = before // the rest is not part of the expression
			return total, nil
		}
		if err != nil {
			return number{}, err
		}
		if sign == '-' {
			term.value = term.value.scaled(big.NewRat(-1, 1))
		}
		value, met, err := total.value.plus(term.value)
		if err != nil {
			return number{}, err
		}
		total = number{value: value, calculated: total.calculated || term.calculated || met}
	}
}

func (p *parser) product() (number, error) {
	product, err := p.power()
	if err != nil {
		return number{}, err
	}
	for {
		before := p.at
		operator, explicit := p.take("*/")
		if !explicit && !p.factorFollows() {
			return product, nil
		}
		factor, err := p.power()
		if errors.Is(err, errNoNumber) {
			p.at = before
			return product, nil
		}
		if err == nil && operator == '/' {
			product, err = product.over(factor)
		} else if err == nil {
			product, err = product.times(factor)
		}
		if err != nil {
			return number{}, err
		}
	}
}

// factorFollows reports whether the next character can begin a factor that is not preceded by an operator.
func (p *parser) factorFollows() bool {
	rest := strings.TrimLeft(p.text[p.at:], " ")
	return strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "π") || strings.HasPrefix(rest, "√")
}

func (p *parser) power() (number, error) {
	base, err := p.base()
	if err != nil {
		return number{}, err
	}
	if _, raised := p.take("^"); !raised {
		return base, nil
	}
	if p.depth++; p.depth > maxDepth {
		return number{}, errDepth
	}
	defer func() { p.depth-- }()
	sign, _ := p.take("+-")
	exponent, err := p.power()
	if err != nil {
		return number{}, err
	}
	if sign == '-' {
		exponent.value = exponent.value.scaled(big.NewRat(-1, 1))
	}
	return base.raised(exponent)
}

func (p *parser) base() (number, error) {
	if p.depth++; p.depth > maxDepth {
		return number{}, errDepth
	}
	defer func() { p.depth-- }()
	p.skip()
	if n, ok, err := p.literal(); ok {
		return n, err
	}
	switch c, _ := p.take("π√("); c {
	case 'π':
		return number{value: sum{key{radicand: 1, pi: 1}: big.NewRat(1, 1)}}, nil
	case '√':
		under, err := p.base()
		if err != nil {
			return number{}, err
		}
		return under.root()
	case '(':
		return p.parenthesis()
	}
	return number{}, errNoNumber
}

// parenthesis evaluates the content of an open parenthesis: a sum or a fraction.
func (p *parser) parenthesis() (number, error) {
	inside, err := p.sum()
	if err != nil {
		return number{}, err
	}
	if _, divides := p.take(string(answertext.FractionSlash)); divides {
		below, err := p.sum()
		if err != nil {
			return number{}, err
		}
		if inside, err = inside.over(below); err != nil {
			return number{}, err
		}
	}
	if _, closes := p.take(")"); !closes {
		return number{}, errNoNumber
	}
	return inside, nil
}

// literal parses a number. A number followed by a proper fraction is a mixed number: 1 1/2.
func (p *parser) literal() (number, bool, error) {
	rest := p.text[p.at:]
	if m := mixedNumber.FindStringSubmatch(rest); m != nil && !p.startsGroup(rest) {
		p.at += len(m[0])
		n, err := mixed(m[1], m[2], m[3])
		return n, true, err
	}
	text := plainNumber.FindString(rest)
	if p.startsGroup(rest) {
		text = groupedNumber.FindString(rest)
	}
	if text == "" {
		return number{}, false, nil
	}
	p.at += len(text)
	value, err := rationalOf(strings.NewReplacer(",", "", " ", "").Replace(text))
	if err != nil {
		return number{}, true, err
	}
	if m := mixedFraction.FindStringSubmatch(p.text[p.at:]); m != nil && value.IsInt() {
		p.at += len(m[0])
		n, err := mixed(text, m[1], m[2])
		return n, true, err
	}
	return number{value: sumOf(value), literal: true}, true, nil
}

// mixedFraction matches a fraction that follows an integer without an operator, starting at \frac.
var mixedFraction = regexp.MustCompile(`^ ?\((\d+)⁄(\d+)\)`)

// startsGroup reports whether the input begins with a complete number that contains thousands separators.
func (p *parser) startsGroup(rest string) bool {
	text := groupedNumber.FindString(rest)
	return p.grouped && text != "" && !moreDigits.MatchString(rest[len(text):])
}

func mixed(whole, above, below string) (number, error) {
	w, err := rationalOf(strings.NewReplacer(",", "", " ", "").Replace(whole))
	if err != nil {
		return number{}, err
	}
	a, err := rationalOf(above)
	if err != nil {
		return number{}, err
	}
	b, err := rationalOf(below)
	if err != nil {
		return number{}, err
	}
	if b.Sign() == 0 || a.Cmp(b) >= 0 {
		return number{}, errDivisor
	}
	return number{value: sumOf(w.Add(w, a.Quo(a, b)))}, nil
}

// rationalOf parses a literal of plainNumber.
func rationalOf(text string) (*big.Rat, error) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	n, err := strconv.Atoi(exponent)
	if len(mantissa) > maxBits/4 || exponent != "" && (err != nil || max(n, -n) > maxExponent) {
		return nil, errTooLarge
	}
	value, ok := new(big.Rat).SetString(strings.TrimSuffix(mantissa, "."))
	if !ok {
		return nil, errNoNumber
	}
	if exponent != "" {
		scale, _ := new(big.Rat).SetString("1e" + exponent)
		value.Mul(value, scale)
	}
	return value, nil
}
