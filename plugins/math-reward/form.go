package mathreward

import (
	"cmp"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// form is a parsed answer: one value, or several values in brackets.
type form struct {
	name     string // of the variable in "x = 3"
	label    string // of the choice in "C) 12"
	kind     kind
	elements []form // of a group
	opening  byte   // of an ordered group, such as [ in [0, 1)
	closing  byte
	value    scalar  // for kindOne
	list     *form   // the other reading of "100,200", which is also one number
	equation *number // in several variables: the left side minus the right side
}

// kind is the kind of an answer.
type kind int

const (
	kindOne       kind = iota
	kindUnordered      // {1, 2}, or 1, 2 without brackets
	kindOrdered        // (1, 2), [1, 2]: a point, an interval
	kindUnion          // (0, 1) ∪ (2, 3)
)

// Limits on a group. Comparing two quotients multiplies the terms of one by the terms of the other.
const (
	maxElements   = 64
	maxGroupTerms = 512
)

var errElements = errors.New("too many elements")

var (
	// named matches the text before the answer in x = 3, = 3, x ∈ {1, 2}, f(x) = 3x, (x, y) = (1, 2).
	named = regexp.MustCompile(`^(?:((?:\\?[A-Za-z]+(?:_\w|_\([^()]*\))?|\p{Greek})(?:\([a-z]\))?|` +
		`\([A-Za-z](?:, ?[A-Za-z])+\)) ?)?(?:=|∈) ?`)
	// wordName matches a name that is a word or a function.
	wordName = regexp.MustCompile(`^[A-Za-z]{2,}$|[A-Za-z]{2}\(`)
	// and and or match words between two elements.
	and = regexp.MustCompile(` ?,? and | ?[和及] ?`)
	or  = regexp.MustCompile(` ?,? or | ?或 ?`)
	// relation matches the relations of an inequality.
	relation = regexp.MustCompile(`[<>≤≥]`)
	// variable matches a variable.
	variable = regexp.MustCompile(`^(?:[A-Za-z]|\p{Greek})(?:_\w|_\([^()]*\))?$`)
	// labeled matches a choice with its text, such as "C) 12". label matches another choice, or a comment, in the text.
	labeled = regexp.MustCompile(`^\(?([A-J])(?:\)[.:]?|[.:])(?: |$)`)
	label   = regexp.MustCompile(`\b[A-Z]\b|(?i:\b(?:or|not|no|but|wrong|incorrect|false)\b|\?)`)
)

// read parses the plain text of an answer. Thousands separators are allowed outside brackets.
func read(text string) (form, error) {
	text = strings.TrimSuffix(unquote(unquote(strings.TrimSpace(text))), ".")
	text = strings.TrimRight(text, ",;")
	text = strings.NewReplacer("<=", "≤", ">=", "≥").Replace(text)
	separator := ", "
	if relation.MatchString(text) && !strings.Contains(text, " and ") {
		separator = "∪" // x < 1 or x > 3
	}
	list := and.ReplaceAllString(text, separator)
	if strings.ContainsAny(text, operators+digits+"=<≤>≥π∞") { // Alice or Bob is not Alice and Bob
		list = or.ReplaceAllString(list, separator)
	}
	f, err := readNamed(list, 0)
	f = f.alone()
	if m := labeled.FindStringSubmatch(text); m != nil && !label.MatchString(text[len(m[0]):]) {
		f.label = m[1]
	}
	return f, err
}

// readNamed parses a group, an equation, or an inequality.
func readNamed(text string, depth int) (form, error) {
	text = strings.TrimSpace(text)
	if f, ok, err := readInequality(text, depth); ok {
		return f, err
	}
	name, rest := cutName(text)
	f, err := readGroup(rest, depth)
	f.name = name
	if sides := strings.Split(text, "="); len(sides) == 2 {
		f.equation = readEquation(sides[0], sides[1])
	}
	return f, err
}

// readEquation returns the difference between the sides of an equation in several variables. An equation in one
// variable is not a solution.
func readEquation(left, right string) *number {
	l, err := evaluateFormula(left)
	if err != nil {
		return nil
	}
	r, err := evaluateFormula(right)
	if err != nil {
		return nil
	}
	difference := number{calculated: l.calculated || r.calculated}
	err = attempt(func() { difference.value, _ = l.value.plus(r.signed('-').value) })
	names := map[string]bool{}
	for _, t := range difference.value.above {
		for _, p := range t.powers {
			names[p.base] = variable.MatchString(p.base) && p.base != "π" && p.base != "e"
		}
	}
	maps.DeleteFunc(names, func(_ string, isVariable bool) bool { return !isVariable })
	if err != nil || len(names) < 2 {
		return nil
	}
	return &difference
}

// readInequality parses an inequality of a variable as an interval.
func readInequality(text string, depth int) (form, bool, error) {
	signs, parts := relation.FindAllString(text, -1), relation.Split(text, -1)
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	if len(signs) == 1 {
		signs = append(signs, signs[0])
		above := signs[0] == ">" || signs[0] == "≥"
		if variable.MatchString(parts[0]) {
			parts = append([]string{map[bool]string{true: "∞", false: "-∞"}[above]}, parts...)
		} else {
			parts = append(parts, map[bool]string{true: "-∞", false: "∞"}[above])
		}
	}
	if len(signs) != 2 || !variable.MatchString(parts[1]) || variable.MatchString(parts[0]+parts[2]) ||
		strings.ContainsAny(signs[0], "<≤") != strings.ContainsAny(signs[1], "<≤") {
		return form{}, false, nil
	}
	if strings.ContainsAny(signs[0], ">≥") {
		slices.Reverse(parts)
		slices.Reverse(signs)
	}
	f := form{kind: kindOrdered, name: parts[1], opening: '(', closing: ')'}
	if strings.ContainsAny(signs[0], "≤≥") && parts[0] != "-∞" {
		f.opening = '['
	}
	if strings.ContainsAny(signs[1], "≤≥") && parts[2] != "∞" {
		f.closing = ']'
	}
	f, err := readElements(f, []string{parts[0], parts[2]}, depth)
	return f, true, err
}

// isFormula reports whether the answer is a single formula, without words, units, and unknown functions.
func (f form) isFormula() bool {
	return f.kind == kindOne && f.value.unit == "" && looksLikeFormula(f.value.text) && !hasApplied(f.value.text)
}

func (f form) isRational() bool {
	if f.kind != kindOne || f.value.number == nil {
		return false
	}
	_, rational := f.value.number.value.asRational()
	return rational
}

// unquote removes the dollar signs that enclose a formula.
func unquote(text string) string {
	if n := strings.Count(text, "$"); len(text) > 2 && (n == 2 || n == 4) && text[0] == '$' && text[len(text)-1] == '$' {
		return strings.TrimSpace(text[1 : len(text)-1])
	}
	return text
}

// cutName removes a variable name unless it is a word, because a word may be part of the answer.
func cutName(text string) (name, rest string) {
	if left, right, found := strings.Cut(text, "="); found && variable.MatchString(strings.TrimSpace(right)) &&
		!variable.MatchString(strings.TrimSpace(left)) {
		text = strings.TrimSpace(right) + "=" + left // 5 = x
	}
	m := named.FindStringSubmatch(text)
	if m == nil || strings.Contains(text[len(m[0]):], "=") {
		return "", text
	}
	if wordName.MatchString(m[1]) {
		return "", text
	}
	return strings.ReplaceAll(m[1], " ", ""), text[len(m[0]):]
}

// alone returns the only element of a one-element set, because its braces may be omitted. In a list, they count.
func (f form) alone() form {
	if f.kind != kindUnordered || len(f.elements) != 1 {
		return f
	}
	one := f.elements[0]
	one.name = cmp.Or(f.name, one.name)
	return one
}

func readGroup(text string, depth int) (form, error) {
	if depth > maxDepth {
		return form{}, errDepth
	}
	text = strings.TrimSpace(text)
	if parts := split(text, "∪"); len(parts) > 1 {
		return readElements(form{kind: kindUnion}, parts, depth)
	}
	if parts := split(text, ",;"); len(parts) > 1 {
		return readList(text, parts, depth)
	}
	inside, opening, closing := unwrap(strings.Replace(text, "∅", "{}", 1))
	parts := split(inside, ",;")
	switch {
	case opening == '{':
		if strings.TrimSpace(inside) == "" {
			return form{kind: kindUnordered}, nil
		}
		return readElements(form{kind: kindUnordered}, parts, depth)
	case opening != 0 && (len(parts) > 1 || opening == '['):
		return readElements(form{kind: kindOrdered, opening: opening, closing: closing}, parts, depth)
	case opening == '(' && strings.ContainsAny(inside, "[{=<>≤≥"):
		return readNamed(inside, depth+1)
	}
	if parts := bothSigns(text); len(parts) == 2 {
		return readElements(form{kind: kindUnordered}, parts, depth)
	}
	return form{value: readScalar(text, depth == 0)}, nil
}

// readList parses text that contains commas but no brackets: a number with thousands separators, or a list.
func readList(text string, parts []string, depth int) (form, error) {
	list, err := readElements(form{kind: kindUnordered}, parts, depth)
	if depth > 0 || err != nil {
		return list, err
	}
	one := readScalar(text, true)
	if one.number == nil {
		return list, nil
	}
	list = list.alone()
	f := form{value: one}
	if !strings.Contains(text, ",0") {
		f.list = &list // lists do not contain the element 000
	}
	return f, nil
}

// readElements parses the elements of a group. An element with ± represents two elements of a set.
func readElements(f form, parts []string, depth int) (form, error) {
	all := parts
	if f.kind == kindUnordered {
		all = nil
		for _, part := range parts {
			all = append(all, bothSigns(part)...)
		}
	}
	if len(all) > maxElements {
		return form{}, errElements
	}
	for _, part := range all {
		element, err := readNamed(part, depth+1)
		if err != nil {
			return form{}, err
		}
		f.elements = append(f.elements, element)
	}
	if f.kind != kindOrdered && f.terms() > maxGroupTerms {
		return form{}, errTerms // each element may be compared with each other
	}
	if f.kind == kindUnordered {
		f.elements = distinct(f.elements)
	}
	return f, nil
}

// terms returns the number of terms in all quotients.
func (f form) terms() (n int) {
	for _, e := range f.elements {
		n += e.terms()
	}
	if f.value.number != nil {
		n += f.value.number.value.terms()
	}
	if f.equation != nil {
		n += f.equation.value.terms()
	}
	return n
}

// bothSigns splits 1 ± √2 into two values, and returns any other string unchanged.
func bothSigns(text string) []string {
	if strings.Count(text, "±") != 1 {
		return []string{text}
	}
	return []string{strings.Replace(text, "±", "+", 1), strings.Replace(text, "±", "-", 1)}
}

func distinct(all []form) []form {
	var out []form
	for _, f := range all {
		if !slices.ContainsFunc(out, func(o form) bool { return o.compare(f).equal }) {
			out = append(out, f)
		}
	}
	return out
}

// split splits a string at characters outside brackets.
func split(text, at string) []string {
	var parts []string
	depth, start := 0, 0
	for i, c := range text {
		switch {
		case strings.ContainsRune("([{", c):
			depth++
		case strings.ContainsRune(")]}", c):
			depth--
		case depth == 0 && strings.ContainsRune(at, c):
			parts = append(parts, text[start:i])
			start = i + len(string(c))
		}
	}
	return append(parts, text[start:])
}

// unwrap removes the brackets that enclose an entire string. opening is 0 without brackets.
func unwrap(text string) (inside string, opening, closing byte) {
	if text == "" || strings.IndexByte("([{", text[0]) < 0 {
		return text, 0, 0
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 && i < len(text)-1 {
				return text, 0, 0
			}
		}
	}
	last := text[len(text)-1]
	if depth != 0 || strings.IndexByte(")]}", last) < 0 || (text[0] == '{') != (last == '}') {
		return text, 0, 0
	}
	return text[1 : len(text)-1], text[0], last
}
