package mathreward

import (
	"errors"
	"regexp"
	"slices"
	"strings"
)

// form is a parsed answer: one value, or several values in brackets.
type form struct {
	name     string // of the variable in "x = 3"
	kind     kind
	elements []form // of a group
	opening  byte   // of an ordered group, such as [ in [0, 1)
	closing  byte
	value    scalar // for kindOne
	list     *form  // the other reading of "100,200", which is also one number
}

// kind is the kind of an answer.
type kind int

const (
	kindOne       kind = iota
	kindUnordered      // {1, 2}, or 1, 2 without brackets
	kindOrdered        // (1, 2), [1, 2]: a point, an interval
	kindUnion          // (0, 1) ∪ (2, 3)
)

const maxElements = 64

var errElements = errors.New("too many elements")

var (
	// named matches the text before the answer in x = 3, = 3, x ∈ {1, 2}.
	named = regexp.MustCompile(`^(?:(\\?[A-Za-z]+(?:_\w|_\([^()]*\))?|\p{Greek}) ?)?(?:=|∈) ?`)
	// word matches a word between two elements.
	word = regexp.MustCompile(` ?,? (?:and|or) `)
)

// read parses the plain text of an answer. Thousands separators are allowed outside brackets.
func read(text string) (form, error) {
	text = strings.TrimSpace(text)
	name, text := cutName(unquote(text))
	text = word.ReplaceAllString(strings.TrimSuffix(text, "."), ", ")
	f, err := readGroup(text, 0)
	f.name = name
	return f, err
}

// unquote removes the dollar signs that enclose a formula.
func unquote(text string) string {
	if len(text) > 2 && strings.Count(text, "$") == 2 && text[0] == '$' && text[len(text)-1] == '$' {
		return strings.TrimSpace(text[1 : len(text)-1])
	}
	return text
}

// cutName removes a variable name unless it is a word, because a word may be part of the answer.
func cutName(text string) (name, rest string) {
	m := named.FindStringSubmatch(text)
	if m == nil || strings.Contains(text[len(m[0]):], "=") {
		return "", text
	}
	if letters := strings.TrimLeft(m[1], `\`); letters == m[1] && len(letters) > 1 && !strings.Contains(letters, "_") {
		return "", text
	}
	return m[1], text[len(m[0]):]
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
	inside, opening, closing := unwrap(text)
	parts := split(inside, ",;")
	switch {
	case opening == '{':
		if strings.TrimSpace(inside) == "" {
			return form{kind: kindUnordered}, nil
		}
		return readElements(form{kind: kindUnordered}, parts, depth)
	case opening != 0 && (len(parts) > 1 || opening == '['):
		return readElements(form{kind: kindOrdered, opening: opening, closing: closing}, parts, depth)
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
	f := form{value: one}
	if !strings.Contains(text, ",0") {
		f.list = &list // lists do not contain the element 000
	}
	return f, nil
}

// readElements parses the elements of a group. An element with ± represents two elements.
func readElements(f form, parts []string, depth int) (form, error) {
	var all []string
	for _, part := range parts {
		all = append(all, bothSigns(part)...)
	}
	if len(all) > maxElements {
		return form{}, errElements
	}
	for _, part := range all {
		element, err := readGroup(part, depth+1)
		if err != nil {
			return form{}, err
		}
		f.elements = append(f.elements, element)
	}
	if f.kind == kindUnordered {
		f.elements = distinct(f.elements)
	}
	return f, nil
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
