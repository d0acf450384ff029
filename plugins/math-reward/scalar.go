package mathreward

import (
	"math/big"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/awhost/awhost/sdk/pytext"
)

// scalar is one value: a number with its unit, or a string.
type scalar struct {
	number *number // nil: a text
	unit   string  // normalized by normalUnit; empty: none
	text   string  // the whole scalar, normalized by normalText
	// variables: the unit may be a product of variables, as in 3xy.
	variables bool
}

// unitWord matches cm, cm^2, km/h, apples, 元, 个苹果, 명.
const unitWord = `(?:[\p{Latin}µμΩ°]{2,}|[\p{Han}\p{Katakana}ーつ]{1,6}|\p{Hangul}{1,4})` +
	`[0-9²³]?(?:\^[0-9]|\^\(-[0-9]\))?(?:[/*](?:[A-Za-zµμΩ]+(?:\^?[0-9²³])?|秒|分钟?|小?[时時]|[天日年]))?`

// unitWords matches square feet, miles per hour, years old.
const unitWords = `(?:(?:square|cubic|sq|cu)\.? )?` + unitWord +
	`(?: per ` + unitWord + `| (?:old|away|apart|long|tall|high|wide|deep|each))?`

// unitLetter matches a one-letter unit that is separated from the number: m, m^2, m/s, μ m.
const unitLetter = ` (?:[µμ] )?[gmshlLNJWVAKCFΩ](?:\^?[23²³]|/[a-z]+(?:\^?2)?)?`

var (
	currency = regexp.MustCompile(`^([+-]?) ?([$€£¥])([+-]?) ?`)
	// unitAfter matches a unit that follows a number: a symbol, a word, or several words in a known form. If more words
	// were allowed, an answer could comment on itself. A single letter may be a variable, unless it is a unit.
	unitAfter = regexp.MustCompile(`^(?: ?(?:%|°[CF]?|[$€£¥]|` + unitWords + `)|` + unitLetter + `)$`)
	// variables matches letters after a number that are variables, unless they are in unitShort.
	variables = regexp.MustCompile(`^ ?([A-Za-z]{2,3})(?:$|\P{L})`)
	unitShort = regexp.MustCompile(`^(?:[kcmdµn]?m|[kmµ]?g|[mcd]?[lL]|[mµn]s|in|ft|yd|mi|oz|lbs?|min|sec|hrs?|[kMG]?Hz|` +
		`[kmM]?[VAJW]|kWh|[kM]?Pa|[kM]?eV|k?N|mol|mph|kph|rpm|k?cal|pts?|px|qt|gal|usd|USD|eur|EUR|cts?|pcs|deg|rad|` +
		`[kMGT]B|th|st|nd|rd|sq|cu|[ap]m|cow|day|yrs?|men|kid|boy|box|bag|cup|egg|pen|car|cat|dog|yen|won|wk|ton|bar|atm)$`)
)

// magnitudes lists words that scale the number before them.
var magnitudes = map[string]int64{
	"hundred": 1e2, "thousand": 1e3, "lakh": 1e5, "million": 1e6, "crore": 1e7, "billion": 1e9, "trillion": 1e12,
	"万": 1e4, "萬": 1e4, "亿": 1e8, "億": 1e8, "만": 1e4, "억": 1e8,
}

var (
	magnitude = regexp.MustCompile(`^ ?(?i:((?:hundred|thousand|lakh|million|crore|billion|trillion)\b|` +
		`[万萬亿億만억]))`)
	// noUnit matches words that change or negate the preceding number, or that comment on it. Shorter names of functions
	// are variables.
	noUnit = regexp.MustCompile(`^ ?(?i:hal(?:f|ves)|(?:third|quarter|ten|dozen|grand|mil|mn|bn)s?|` +
		`(?:pair|couple|score|gross|double|triple)s?|guess|estimate|minimum|maximum|` +
		`(?:four|fif|six|seven|eigh|nin|ten|eleven|twelf|[a-z]+teen|[a-z]+tie)ths?|` +
		`(?:hundred|thousand|lakh|crore|[a-z]*illion)(?:th)?s?|repeating|recurring|negative|less|fewer|more|below|above|` +
		`under|over|inverse|reciprocal|root|sqrt|arc[a-z]+|(?:sin|cos|tan)h|cosine|sine|infinity|infty|alpha|beta|gamma|` +
		`delta|epsilon|theta|lambda|sigma|omega|` +
		`squared|cubed|factorial|plus|minus|divided|modulo|mod|(?:in)?correct|wrong|right|false|true|(?:in)?valid|` +
		`yes|no|not|never|none|neither|nor|or|and|but|if|unless|is|are|was|be|maybe|perhaps|possibly|probably|` +
		`approx|approximately|about|around|roughly|nearly|almost|ish|answer|final|because)\b|` +
		// The same for Chinese, Japanese, and Korean, in any place.
		`^ ?[割成打十]|^ ?\P{L}*[\p{L}ー]*(?:[不非没沒無无未错錯誤误否假对對正确確约約大概多余餘半几幾数數之以超过過于於上下左右万萬亿億兆倍折的阶階乘` +
		`減减除負负或和与與及是為为]|(?:次|平|立)方$|百|千(?:[^米克瓦卡]|$)|아니|아님|틀|이상|이하|초과|미만|약|정도|반|분의|배|백|천|만|억|조)`)
)

// readScalar parses a number with its unit, or a formula, or returns any other input as a string.
func readScalar(text string, grouped bool) scalar {
	text = strings.TrimSpace(text)
	s := readQuantity(text, grouped)
	if s.number != nil && !s.variables {
		return s
	}
	s = scalar{text: s.text}
	if n, err := evaluateFormula(text); err == nil && looksLikeFormula(text) {
		s.number = &n
	}
	return s
}

// readQuantity parses a number with its unit.
func readQuantity(text string, grouped bool) scalar {
	s := scalar{text: normalText(text)}
	expression, before := text, ""
	if m := currency.FindStringSubmatch(text); m != nil && (m[1] == "" || m[3] == "") {
		expression, before = m[1]+m[3]+text[len(m[0]):], m[2]
	}
	n, rest, err := evaluate(expression, grouped)
	if err != nil {
		return s
	}
	rest = strings.Replace(strings.TrimRight(rest, " "), "per cent", "percent", 1)
	if m := magnitude.FindStringSubmatch(rest); m != nil {
		n.value, rest = n.value.scaled(big.NewRat(magnitudes[strings.ToLower(m[1])], 1)), rest[len(m[0]):]
	}
	if noUnit.MatchString(rest) {
		return s
	}
	if rest != "" && (!unitAfter.MatchString(rest) || before != "" && normalUnit(rest) != before) {
		return s
	}
	m := variables.FindStringSubmatch(rest)
	s.variables = m != nil && !unitShort.MatchString(m[1])
	s.number, s.unit = &n, before
	if rest != "" {
		s.unit = normalUnit(rest)
	}
	return s
}

// units maps alternative names for units.
var units = map[string]string{
	"dollar": "$", "usd": "$", "euro": "€", "eur": "€", "percent": "%", "percentage": "%", "degree": "°", "deg": "°",
	"meter": "m", "metre": "m", "kilometer": "km", "kilometre": "km", "centimeter": "cm", "centimetre": "cm",
	"second": "s", "sec": "s", "minute": "min", "hour": "h", "hr": "h",
	"gram": "g", "kilogram": "kg", "liter": "l", "litre": "l", "ml": "ml",
	"inche": "in", "inch": "in", "feet": "ft", "foot": "ft",
}

// normalUnit normalizes a unit and converts plurals to singulars. The case of short units counts: MW is not mW.
func normalUnit(text string) string {
	text = strings.NewReplacer("^2", "²", "^3", "³", "μ ", "µ", "µ ", "µ", "μ", "µ").Replace(strings.TrimSpace(text))
	text = strings.TrimSuffix(text, ".")
	if utf8.RuneCountInString(text) == 1 {
		return text
	}
	text = longWord.ReplaceAllStringFunc(text, strings.ToLower)
	if len(text) > 2 {
		text = strings.TrimSuffix(text, "s")
	}
	if known, ok := units[strings.ToLower(text)]; ok {
		return known
	}
	return text
}

// normalText normalizes a string by removing spaces and enclosing parentheses. The case of words does not count, except
// in a formula. The case of single letters counts, because they may be variables.
func normalText(text string) string {
	for {
		inside, opening, _ := unwrap(text)
		if opening != '(' || strings.ContainsAny(inside, ",;") {
			break
		}
		text = strings.TrimSpace(inside)
	}
	var out strings.Builder
	isFormula := !hasWords(text) && strings.ContainsAny(text, operators+`=<≤>≥\`) ||
		twoLetters.MatchString(text) && !strings.EqualFold(text, "no")
	before := " "
	for _, field := range strings.FieldsFunc(text, unicode.IsSpace) {
		if strings.ContainsAny(before, digits) && strings.ContainsAny(field[:1], digits) {
			out.WriteByte(' ') // 7 2 is not 72, and 7 .2 is not 7.2
		}
		before = field[len(field)-1:]
		if !isFormula {
			field = word.ReplaceAllStringFunc(field, pytext.Lower)
		}
		out.WriteString(field)
	}
	return strings.TrimPrefix(out.String(), "+")
}

var (
	// word matches a word, as opposed to a variable or a product of variables, with the character before it.
	word = regexp.MustCompile(`(?:^|[^\p{L}0-9])\p{L}{2,}`)
	// twoLetters matches a text that may be a product of variables, such as AB, which is not ab.
	twoLetters = regexp.MustCompile(`^[0-9.]*\s*\p{L}{2}[0-9]*$`)
)

// comparison is the result of comparing two values.
type comparison struct {
	equal      bool
	numeric    bool // decided by numbers
	list       bool // decided by the elements of a list
	calculated bool // the values are equal, but the answer leaves arithmetic undone that the truth has done
	otherUnit  bool // equal numbers with different units
}

// compare compares a ground truth with an answer.
func (s scalar) compare(answer scalar) comparison {
	sameText := s.text == answer.text && s.text != ""
	if s.number == nil || answer.number == nil {
		return comparison{equal: sameText}
	}
	switch {
	case s.equalsNumber(answer):
		return s.number.unlessUndone(*answer.number)
	case sameText && (s.unit == "") != (answer.unit == ""): // "5m" has a variable, and "5 m" has a unit
		return comparison{equal: true}
	}
	return comparison{otherUnit: s.unit != answer.unit && s.number.value.equals(answer.number.value)}
}

// unlessUndone returns the comparison of equal numbers.
func (n number) unlessUndone(answer number) comparison {
	undone := answer.calculated && !n.calculated
	return comparison{equal: !undone, numeric: !undone, calculated: undone}
}

// equalsNumber compares numbers with their units. One of the two may omit the unit. If the unit is a percent sign, the
// number may also be a hundredth of it: 50 % is 50 or 0.5, but 0.5 is a share, not 0.5 %. Likewise, 90° is 90 or π/2.
func (s scalar) equalsNumber(answer scalar) bool {
	mine, theirs := s.number.value, answer.number.value
	r, ok := mine.asRational()
	share := s.unit == "" && answer.unit == "%" && ok && new(big.Rat).Abs(r).Cmp(one) <= 0
	if !share && (s.unit == answer.unit || s.unit == "" || answer.unit == "") {
		if mine.equals(theirs) {
			return true
		}
	}
	unit := s.unit
	if unit == "" {
		mine, theirs, unit = theirs, mine, answer.unit
	} else if answer.unit != "" {
		return false
	}
	equal := false
	factor, known := quotients[unit]
	err := attempt(func() { equal = known && mine.times(factor).equals(theirs) })
	return equal && err == nil
}

// quotients are the factors of units that a number may contain instead.
var quotients = map[string]quotient{
	"%": rational(big.NewRat(1, 100)),
	"°": {above: sumOf(big.NewRat(1, 180), power{"π", one})},
}
