package mathreward

import (
	"errors"
	"math/big"
	"regexp"
	"slices"
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
		`(?:_\d+|_\w)?)\b|(?:[A-Za-z]|\p{Greek})(?:_\w|_\([^()^]*\))?)`)
	// derivative matches the divisor of a derivative, and the group of applied matches a function's name before its
	// argument or its prime. They are not products.
	derivative = regexp.MustCompile(`[⁄/] ?\(?d ?(?:[A-Za-z]|\p{Greek})`)
	applied    = regexp.MustCompile(`\\[A-Za-z]+|log(?:_\w+)?|(?:sin|cos|tan)h|` +
		`([fghFGHPEφ](?:_\w|_\([^()]*\))?(?:\^\(?-?\d\)?)? ?\(|')`)
	superscript       = regexp.MustCompile(`^[⁰¹²³⁴-⁹]+`)
	superscriptDigits = strings.NewReplacer("⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7",
		"⁸", "8", "⁹", "9")
	// longWord matches a word, as opposed to a product of variables, or a command.
	longWord = regexp.MustCompile(`\\?[A-Za-z]{4,}`)
	// operators and digits are the characters of a formula that no word contains.
	operators, digits = "+-*/^√(⁄!_²³", ".0123456789"
)

// Limits on an expression, in addition to the limits on a string (answertext.MostBytes) and on numbers.
const (
	maxDepth    = 40
	maxExponent = 1000
	maxFactor   = 400 // of a factorial or a binomial coefficient
)

// parser evaluates an expression in the notation of answertext.Plain while it reads it. Its methods call fail for text
// that is not an expression.
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

// evaluationError ends an evaluation: it is the value of a panic that attempt turns into an error.
type evaluationError struct{ error }

func fail(err error) { panic(evaluationError{err}) }

// attempt calls a function that evaluates, and returns the error that ended it.
func attempt(evaluate func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			ended, ok := r.(evaluationError)
			if !ok {
				panic(r)
			}
			err = ended.error
		}
	}()
	evaluate()
	return nil
}

// evaluate evaluates the longest expression at the beginning of a string and returns the rest.
func evaluate(text string, grouped bool) (n number, rest string, err error) {
	p := parser{text: text, grouped: grouped}
	err = attempt(func() { n = p.sum() })
	return n, text[p.at:], err
}

// looksLikeFormula reports whether a string has an operator, a digit, or a command, and no words.
func looksLikeFormula(text string) bool {
	return !hasWords(text) && strings.ContainsAny(text, operators+digits[1:]+`\`)
}

// hasWords reports whether a string has words, which are not products of variables.
func hasWords(text string) bool {
	return slices.ContainsFunc(longWord.FindAllString(text, -1), func(word string) bool {
		return word[0] != '\\' && name.FindStringSubmatch(word)[1] != word
	})
}

// hasApplied reports whether a string has a function other than the known ones.
func hasApplied(text string) bool {
	return slices.ContainsFunc(applied.FindAllStringSubmatch(text, -1), func(m []string) bool { return m[1] != "" })
}

// evaluateFormula evaluates a string that is an expression with variables.
func evaluateFormula(text string) (n number, err error) {
	if hasWords(text) || hasApplied(text) || derivative.MatchString(text) {
		return number{}, errNoNumber
	}
	p := parser{text: text, formula: true}
	err = attempt(func() { n = p.sum() })
	if p.skip(); err == nil && p.at < len(text) {
		err = errNoNumber
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

func (p *parser) sum() number {
	sign, _ := p.take("+-")
	total := p.product().signed(sign)
	for {
		before := p.at
		sign, more := p.take("+-")
		if !more {
			return total
		}
		term, ok := p.try(before, p.product)
		if !ok {
			return total
		}
		value, met := total.value.plus(term.signed(sign).value)
		total = number{value: value, calculated: total.calculated || term.calculated || met}
	}
}

func (p *parser) product() number {
	product := p.power()
	for {
		before := p.at
		operator, explicit := p.take("*/")
		if !explicit && !p.factorFollows() {
			return product
		}
		factor, ok := p.try(before, p.power)
		switch {
		case !ok:
			return product
		case operator == '/':
			product = product.over(factor)
		default:
			product = product.times(factor)
		}
	}
}

// try evaluates an operand. If the text is not one, it and the operator before it are not part of the expression.
func (p *parser) try(before int, operand func() number) (n number, ok bool) {
	depth := p.depth
	err := attempt(func() { n = operand() })
	if errors.Is(err, errNoNumber) {
		p.at, p.depth = before, depth
	} else if err != nil {
		fail(err)
	}
	return n, err == nil
}

// factorFollows reports whether the next character can begin a factor that is not preceded by an operator.
func (p *parser) factorFollows() bool {
	rest := strings.TrimLeft(p.text[p.at:], " ")
	return strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "π") || strings.HasPrefix(rest, "√") ||
		strings.HasPrefix(rest, binomial) || p.formula && name.MatchString(rest)
}

func (p *parser) power() number {
	base := p.base()
	if _, marked := p.take("!"); marked {
		base = p.function("factorial", base)
	}
	if digits := superscript.FindString(p.text[p.at:]); digits != "" {
		p.at += len(digits)
		return base.raised(number{value: rational(rationalOf(superscriptDigits.Replace(digits)))})
	}
	if _, raised := p.take("^"); !raised {
		return base
	}
	p.enter()
	sign, _ := p.take("+-")
	exponent := p.power().signed(sign)
	p.depth--
	return base.raised(exponent)
}

func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		fail(errDepth)
	}
}

func (p *parser) base() number {
	p.enter()
	defer func() { p.depth-- }()
	p.skip()
	if n, ok := p.literal(); ok {
		return n
	}
	if strings.HasPrefix(p.text[p.at:], binomial) {
		p.at += len(binomial)
		return p.function(binomial, p.base(), p.base())
	}
	switch c, _ := p.take("π√("); c {
	case 'π':
		return number{value: symbol("π", one)}
	case '√':
		return p.root()
	case '(':
		return p.parenthesis()
	}
	return p.name()
}

var rootIndex = regexp.MustCompile(`^ ?\[([1-9]\d{0,2})\]`)

// root evaluates √ or the root with an index in brackets.
func (p *parser) root() number {
	index := int64(2)
	if m := rootIndex.FindStringSubmatch(p.text[p.at:]); m != nil {
		index, _ = strconv.ParseInt(m[1], 10, 64)
		p.at += len(m[0])
	}
	return p.base().raised(number{value: rational(big.NewRat(1, index))})
}

// name evaluates a variable, or a function with its argument.
func (p *parser) name() number {
	m := name.FindStringSubmatch(p.text[p.at:])
	if m == nil || !p.formula {
		fail(errNoNumber)
	}
	if m[1] == "" {
		p.at += len(m[0])
		return number{value: symbol(strings.NewReplacer("(", "", ")", "", " ", "").Replace(m[0]), one)}
	}
	p.at += strings.Index(m[0], m[1]) + len(m[1])
	exponent := number{value: rational(one)}
	if _, raised := p.take("^"); raised {
		exponent = p.base()
		if e, ok := exponent.value.asRational(); !ok || e.Sign() < 0 {
			fail(errNoNumber) // sin^-1 is the inverse function or the inverse value
		}
	}
	return p.function(m[1], p.argument()).raised(exponent)
}

// argument evaluates a function's argument: parentheses, or the factors up to the next operator or function.
func (p *parser) argument() number {
	if p.skip(); strings.HasPrefix(p.text[p.at:], "(") {
		return p.base()
	}
	product := p.power()
	for p.factorFollows() {
		if m := name.FindStringSubmatch(strings.TrimLeft(p.text[p.at:], " ")); m != nil && m[1] != "" {
			break
		}
		product = product.times(p.power())
	}
	return product
}

const binomial = `\binom`

// function applies a function: factorials of small numbers are evaluated, and other functions are symbols.
func (p *parser) function(name string, arguments ...number) number {
	if name == "log_e" {
		name = "ln"
	}
	text, out, small := name, number{}, []int64{}
	for _, a := range arguments {
		text += a.value.String()
		out.calculated = out.calculated || a.calculated
		if r, ok := a.value.asRational(); ok && r.IsInt() && r.Sign() >= 0 && r.Cmp(big.NewRat(maxFactor, 1)) <= 0 {
			small = append(small, r.Num().Int64())
		}
	}
	switch {
	case name == "factorial" && len(small) == 1:
		out.value = rational(new(big.Rat).SetInt(new(big.Int).MulRange(1, small[0])))
	case name == binomial && len(small) == 2:
		out.value = rational(new(big.Rat).SetInt(new(big.Int).Binomial(small[0], small[1])))
	case !p.formula:
		fail(errNoNumber)
	case name == "exp":
		out.value = symbol("e", one).raised(arguments[0].value)
	default:
		out.value = symbol(text, one)
	}
	return out
}

// parenthesis evaluates the content of an open parenthesis: a sum or a fraction.
func (p *parser) parenthesis() number {
	inside := p.sum()
	if _, divides := p.take(string(answertext.FractionSlash)); divides {
		inside = inside.over(p.sum())
	}
	if _, closes := p.take(")"); !closes {
		fail(errNoNumber)
	}
	return inside
}

// literal parses a number. A number followed by a proper fraction is a mixed number: 1 1/2.
func (p *parser) literal() (number, bool) {
	rest := p.text[p.at:]
	if m := repeating.FindStringSubmatch(rest); m != nil {
		p.at += len(m[0])
		return number{value: rational(repeated(m[1], m[2], m[3]+m[4]+m[5]+m[6])), literal: true}, true
	}
	if m := mixedNumber.FindStringSubmatch(rest); m != nil && !p.startsGroup(rest) {
		p.at += len(m[0])
		return mixed(m[1], m[2], m[3]), true
	}
	text := plainNumber.FindString(rest)
	if p.startsGroup(rest) {
		text = groupedNumber.FindString(rest)
	}
	if text == "" {
		return number{}, false
	}
	p.at += len(text)
	value := rationalOf(text)
	if m := mixedFraction.FindStringSubmatch(p.text[p.at:]); m != nil && value.IsInt() {
		p.at += len(m[0])
		return mixed(text, m[1], m[2]), true
	}
	return number{value: rational(value), literal: true}, true
}

// mixedFraction matches a fraction that follows an integer without an operator, starting at \frac.
var mixedFraction = regexp.MustCompile(`^ ?\((\d+)⁄(\d+)\)`)

// startsGroup reports whether the input begins with a complete number that contains thousands separators.
func (p *parser) startsGroup(rest string) bool {
	text := groupedNumber.FindString(rest)
	return p.grouped && text != "" && !moreDigits.MatchString(rest[len(text):])
}

func mixed(whole, above, below string) number {
	w, a, b := rationalOf(whole), rationalOf(above), rationalOf(below)
	if b.Sign() == 0 || a.Cmp(b) >= 0 {
		fail(errNoNumber)
	}
	return number{value: rational(w.Add(w, a.Quo(a, b)))}
}

// repeated returns a repeating decimal: 0.1(6) is 16/90 minus 1/90.
func repeated(whole, fixed, period string) *big.Rat {
	all, before := rationalOf("0"+whole+fixed+period), rationalOf("0"+whole+fixed)
	nines := rationalOf(strings.Repeat("9", len(period)) + strings.Repeat("0", len(fixed)))
	return all.Sub(all, before).Quo(all, nines)
}

// rationalOf parses a literal, which may have thousands separators.
func rationalOf(text string) *big.Rat {
	text = strings.NewReplacer(",", "", " ", "").Replace(text)
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	n, err := strconv.Atoi(exponent)
	if len(mantissa) > maxBits/4 || exponent != "" && (err != nil || max(n, -n) > maxExponent) {
		fail(errTooLarge)
	}
	value, ok := new(big.Rat).SetString(strings.TrimSuffix(mantissa, "."))
	if !ok {
		fail(errNoNumber)
	}
	if exponent != "" {
		scale, _ := new(big.Rat).SetString("1e" + exponent)
		value.Mul(value, scale)
	}
	return value
}
