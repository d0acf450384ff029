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
	value quotient
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
	// repeating matches the notations of a repeating decimal: 0.1(6), 0.1\overline(6), 0.\dot(1)4285\dot(7).
	repeating = regexp.MustCompile(`^(\d*)\.(\d*)(?:(?:\\overline|\\bar)?\((\d+)\)|\\dot\((\d)\)(?:(\d*)\\dot\((\d)\))?)`)
	// name matches a variable, with its index, or the name of a function.
	name = regexp.MustCompile(`^(?:(?:\\|\b)(sin|cos|tan|cot|sec|csc|arcsin|arccos|arctan|sinh|cosh|tanh|ln|exp|log` +
		`(?:_\d+|_\w)?)\b|(?:[A-Za-z]|\p{Greek})(?:_\w|_\([^()]*\))?)`)
	superscript       = regexp.MustCompile(`^[⁰¹²³⁴-⁹]+`)
	superscriptDigits = strings.NewReplacer("⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7",
		"⁸", "8", "⁹", "9")
	// longWord matches a word, as opposed to a product of variables.
	longWord = regexp.MustCompile(`[A-Za-z]{4,}`)
	// operators are the characters of a formula that no word contains.
	operators = "+-*/^√(⁄!_²³0123456789"
)

// Limits on an expression, in addition to the limits on a string (answertext.MostBytes) and on numbers.
const (
	maxDepth    = 40
	maxExponent = 1000
	maxFactor   = 400 // of a factorial or a binomial coefficient
)

// parser evaluates an expression in the notation of answertext.Plain while it reads it:
//
//	sum     = [sign] product { sign product }
//	product = power { ("*" | "/") power | power }
//	power   = base [ "!" ] [ "^" ["-"] power ]
//	base    = number | "π" | "√" ["[" index "]"] base | "(" sum ")" | "(" sum "⁄" sum ")" | "\binom" base base
//
// and in a formula, which has variables, also
//
//	base     = variable | function [ "^" base ] ( "(" sum ")" | power { power } )
type parser struct {
	text    string
	at      int
	depth   int
	grouped bool // thousands separators are allowed
	formula bool // variables and functions are allowed
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

// evaluateFormula evaluates a string that is an expression with variables. Words are not products of variables.
func evaluateFormula(text string) (number, error) {
	if !strings.ContainsAny(text, operators) && !strings.Contains(text, `\`) {
		return number{}, errNoNumber
	}
	for _, word := range longWord.FindAllString(text, -1) {
		if m := name.FindStringSubmatch(word); m[1] != word && word != "binom" {
			return number{}, errNoNumber
		}
	}
	p := parser{text: text, formula: true}
	n, err := p.sum()
	if p.skip(); err == nil && p.at < len(text) {
		return number{}, errNoNumber
	}
	return n, err
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
	return strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "π") || strings.HasPrefix(rest, "√") ||
		strings.HasPrefix(rest, binomial) || p.formula && name.MatchString(rest)
}

func (p *parser) power() (number, error) {
	base, err := p.base()
	if err != nil {
		return number{}, err
	}
	if _, marked := p.take("!"); marked {
		if base, err = p.function("factorial", base); err != nil {
			return number{}, err
		}
	}
	if digits := superscript.FindString(p.text[p.at:]); digits != "" {
		p.at += len(digits)
		exponent, err := rationalOf(superscriptDigits.Replace(digits))
		if err != nil {
			return number{}, err
		}
		return base.raised(number{value: rational(exponent)})
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
	if strings.HasPrefix(p.text[p.at:], binomial) {
		return p.binomial()
	}
	switch c, _ := p.take("π√("); c {
	case 'π':
		return symbolic("π")
	case '√':
		return p.root()
	case '(':
		return p.parenthesis()
	}
	if p.formula {
		return p.name()
	}
	return number{}, errNoNumber
}

func symbolic(name string) (number, error) {
	value, err := symbol(name, one)
	return number{value: value}, err
}

var rootIndex = regexp.MustCompile(`^ ?\[(\d{1,3})\]`)

// root evaluates √ or the root with an index in brackets.
func (p *parser) root() (number, error) {
	index := int64(2)
	if m := rootIndex.FindStringSubmatch(p.text[p.at:]); m != nil {
		index, _ = strconv.ParseInt(m[1], 10, 64)
		p.at += len(m[0])
	}
	under, err := p.base()
	if err != nil || index == 0 {
		return number{}, errNoNumber
	}
	return under.raised(number{value: rational(big.NewRat(1, index))})
}

// name evaluates a variable, or a function with its argument.
func (p *parser) name() (number, error) {
	m := name.FindStringSubmatch(p.text[p.at:])
	if m == nil {
		return number{}, errNoNumber
	}
	if m[1] == "" {
		p.at += len(m[0])
		return symbolic(strings.NewReplacer("(", "", ")", "").Replace(m[0]))
	}
	p.at += strings.Index(m[0], m[1]) + len(m[1])
	exponent := number{value: rational(one)}
	if _, raised := p.take("^"); raised {
		var err error
		if exponent, err = p.base(); err != nil {
			return number{}, err
		}
		if e, ok := exponent.value.asRational(); !ok || e.Sign() < 0 {
			return number{}, errNoNumber // sin^-1 is the inverse function or the inverse value
		}
	}
	argument, err := p.argument()
	if err != nil {
		return number{}, err
	}
	value, err := p.function(m[1], argument)
	if err != nil {
		return number{}, err
	}
	return value.raised(exponent)
}

// argument evaluates a function's argument: parentheses, or the factors up to the next operator or function.
func (p *parser) argument() (number, error) {
	if p.skip(); strings.HasPrefix(p.text[p.at:], "(") {
		return p.base()
	}
	product, err := p.power()
	for err == nil && p.factorFollows() {
		if m := name.FindStringSubmatch(strings.TrimLeft(p.text[p.at:], " ")); m != nil && m[1] != "" {
			break
		}
		var factor number
		if factor, err = p.power(); err == nil {
			product, err = product.times(factor)
		}
	}
	return product, err
}

// function applies a function: factorials of small numbers are evaluated, and other functions are symbols.
func (p *parser) function(name string, arguments ...number) (number, error) {
	text, calculated, small := name, false, []int64{}
	for _, a := range arguments {
		text += a.value.String()
		calculated = calculated || a.calculated
		if r, ok := a.value.asRational(); ok && r.IsInt() && r.Sign() >= 0 && r.Cmp(big.NewRat(maxFactor, 1)) <= 0 {
			small = append(small, r.Num().Int64())
		}
	}
	var value quotient
	var err error
	switch {
	case name == "factorial" && len(small) == 1:
		value = rational(new(big.Rat).SetInt(new(big.Int).MulRange(1, small[0])))
	case name == binomial && len(small) == 2:
		value = rational(new(big.Rat).SetInt(new(big.Int).Binomial(small[0], small[1])))
	case !p.formula:
		return number{}, errNoNumber
	case name == "exp":
		if value, err = symbol("e", one); err == nil {
			value, err = value.raised(arguments[0].value)
		}
	default:
		value, err = symbol(strings.Replace(text, "log_e", "ln", 1), one)
	}
	return number{value: value, calculated: calculated}, err
}

const binomial = `\binom`

func (p *parser) binomial() (number, error) {
	p.at += len(binomial)
	above, err := p.base()
	if err != nil {
		return number{}, err
	}
	below, err := p.base()
	if err != nil {
		return number{}, err
	}
	return p.function(binomial, above, below)
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
	if m := repeating.FindStringSubmatch(rest); m != nil {
		p.at += len(m[0])
		value, err := repeated(m[1], m[2], m[3]+m[4]+m[5]+m[6])
		return number{value: rational(value), literal: true}, true, err
	}
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
	return number{value: rational(value), literal: true}, true, nil
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
	return number{value: rational(w.Add(w, a.Quo(a, b)))}, nil
}

// repeated returns a repeating decimal: 0.1(6) is 16/90 minus 1/90.
func repeated(whole, fixed, period string) (*big.Rat, error) {
	all, err := rationalOf("0" + whole + fixed + period)
	if err != nil {
		return nil, err
	}
	before, _ := rationalOf("0" + whole + fixed)
	nines, _ := rationalOf(strings.Repeat("9", len(period)) + strings.Repeat("0", len(fixed)))
	return all.Sub(all, before).Quo(all, nines), nil
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
