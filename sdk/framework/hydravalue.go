package framework

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// ParseValue reads a value as Hydra reads what follows the = of an override.
func ParseValue(given string) (any, error) {
	p := valueParser{rest: given}
	v, err := p.element(true)
	if err != nil {
		return nil, err
	}
	p.space()
	if p.rest != "" {
		return nil, fmt.Errorf("%q follows the value; quote the whole if it is text", p.rest)
	}
	return v, nil
}

type valueParser struct {
	rest  string
	depth int
}

func (p *valueParser) space() { p.rest = strings.TrimLeft(p.rest, " \t") }

// element reads one value; at the top the rest is all of it.
func (p *valueParser) element(top bool) (any, error) {
	p.space()
	if p.rest == "" {
		return "", nil
	}
	if p.depth++; p.depth > maxTreeDepth {
		return nil, errors.New("lists and mappings are nested too deeply")
	}
	defer func() { p.depth-- }()
	switch p.rest[0] {
	case '\'', '"':
		return p.quoted(p.rest[0])
	case '[':
		return p.list()
	case '{':
		return p.mapping()
	}
	return p.primitive(top)
}

func (p *valueParser) quoted(mark byte) (any, error) {
	var out strings.Builder
	for i := 1; i < len(p.rest); i++ {
		switch p.rest[i] {
		case '\\':
			run := i
			for run < len(p.rest) && p.rest[run] == '\\' {
				run++
			}
			n := run - i
			if run < len(p.rest) && p.rest[run] == mark {
				out.WriteString(strings.Repeat(`\`, n/2))
				if n%2 == 1 {
					out.WriteByte(mark)
					run++
				}
			} else {
				out.WriteString(strings.Repeat(`\`, n))
			}
			i = run - 1
		case mark:
			p.rest = p.rest[i+1:]
			return out.String(), nil
		default:
			out.WriteByte(p.rest[i])
		}
	}
	return nil, fmt.Errorf("the quote of %s is not closed", p.rest)
}

func (p *valueParser) list() (any, error) {
	out := []any{}
	err := p.items("list", "]", func() error {
		v, err := p.element(false)
		out = append(out, v)
		return err
	})
	return out, err
}

func (p *valueParser) mapping() (any, error) {
	out := map[string]any{}
	err := p.items("mapping", "}", func() error {
		key, after, ok := strings.Cut(p.rest, ":")
		if !ok {
			return errors.New("a mapping needs a name and a colon before each value")
		}
		p.rest = after
		v, err := p.element(false)
		out[strings.TrimSpace(key)] = v
		return err
	})
	return out, err
}

// items reads what commas separate, up to the end.
func (p *valueParser) items(kind, end string, one func() error) error {
	p.rest = p.rest[1:]
	for n := 0; ; n++ {
		if p.space(); strings.HasPrefix(p.rest, end) && n == 0 {
			break
		}
		if err := one(); err != nil {
			return err
		}
		if p.space(); !strings.HasPrefix(p.rest, ",") {
			break
		}
		p.rest = p.rest[1:]
	}
	if !strings.HasPrefix(p.rest, end) {
		return fmt.Errorf("a %s is not closed with %s", kind, end)
	}
	p.rest = p.rest[1:]
	return nil
}

// primitive reads what has no quotes: up to the next , ] or } outside of interpolations.
func (p *valueParser) primitive(top bool) (any, error) {
	end, braces := 0, 0
scan:
	for ; end < len(p.rest); end++ {
		switch c := p.rest[end]; {
		case c == '\\' && end+1 < len(p.rest):
			end++
		case c == '{' && end > 0 && p.rest[end-1] == '$' || c == '{' && braces > 0:
			braces++
		case c == '}' && braces > 0:
			braces--
		case braces > 0:
		case c == '(':
			return nil, fmt.Errorf("%s is a function of Hydra's sweeps; a run has one value per key", p.rest)
		case c == ',' && top:
			return nil, fmt.Errorf("%s would be a sweep of Hydra over several runs; write [%s] for a list, or quote it",
				p.rest, p.rest)
		case c == ',' || c == ']' || c == '}':
			break scan
		}
	}
	end = min(end, len(p.rest))
	word := strings.TrimSpace(p.rest[:end])
	p.rest = p.rest[end:]
	return meaning(word), nil
}

var (
	intForm   = regexp.MustCompile(`^[+-]?(0|[1-9](_?\d)*)$`)
	floatForm = regexp.MustCompile(`^[+-]?((\d(_?\d)*)?\.\d(_?\d)*|\d(_?\d)*\.?)([eE][+-]?\d(_?\d)*)?$`)
	escaped   = regexp.MustCompile(`\\([\\()\[\]{}:=, \t])`)
)

// meaning returns the value of a word without quotes.
func meaning(word string) any {
	switch strings.ToLower(word) {
	case "null":
		return nil
	case "true":
		return true
	case "false":
		return false
	}
	digits := strings.ReplaceAll(word, "_", "")
	if intForm.MatchString(word) {
		if i, err := strconv.ParseInt(digits, 10, 64); err == nil {
			return i
		}
	}
	if floatForm.MatchString(word) && strings.ContainsAny(word, ".eE") {
		if f, err := strconv.ParseFloat(digits, 64); err == nil {
			return f
		}
	}
	switch strings.ToLower(strings.TrimLeft(word, "+-")) {
	case "nan", "inf":
		if f, err := strconv.ParseFloat(word, 64); err == nil {
			return f
		}
	}
	return escaped.ReplaceAllString(word, "$1")
}
