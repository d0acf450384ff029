package ui

import (
	"cmp"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// params reads a request's parameters. err keeps the first error.
type params struct {
	values url.Values
	err    error
}

// paramsOf returns the parameters of a request. Parameters that known does not contain are an error.
func paramsOf(r *http.Request, known ...string) *params {
	values, err := url.ParseQuery(r.URL.RawQuery)
	p := &params{values: values}
	if err != nil {
		p.fail("the parameters cannot be read: %v", err)
	}
	for name, given := range values {
		switch {
		case !slices.Contains(known, name):
			p.fail("unknown parameter %s: want %s", shortened(name), cmp.Or(strings.Join(known, ", "), "none"))
		case len(given) > 1 && name != "name" && name != "run":
			p.fail("the parameter %s is given twice", name)
		case !utf8.ValidString(strings.Join(given, "")):
			p.fail("the parameter %s is not UTF-8 text", name)
		}
	}
	return p
}

func (p *params) fail(format string, args ...any) {
	if p.err == nil {
		p.err = badRequest(format, args...)
	}
}

func (p *params) text(name string) string { return p.values.Get(name) }

// oneOf returns a parameter that must be one of the allowed values, or "" if it is missing.
func (p *params) oneOf(name string, allowed ...string) string {
	value := p.text(name)
	if value != "" && !slices.Contains(allowed, value) {
		p.fail("%s %s: want one of %s", name, shortened(value), strings.Join(allowed, ", "))
	}
	return value
}

// whole returns a number of at least 0, or nil if it is missing.
func (p *params) whole(name string) *int {
	text := p.text(name)
	if text == "" {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > math.MaxInt32 {
		p.fail("%s %s: want a whole number from 0", name, shortened(text))
		return nil
	}
	return &n
}

// limit returns the maximum number of entries in a response.
func (p *params) limit(usual, most int) int {
	n := p.whole("limit")
	switch {
	case n == nil:
		return usual
	case *n == 0 || *n > most:
		p.fail("limit %d: want a number from 1 to %d", *n, most)
	}
	return *n
}

func (p *params) number(name string) *float64 {
	text := p.text(name)
	if text == "" {
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n-n != 0 {
		p.fail("%s %s: want a number", name, shortened(text))
		return nil
	}
	return &n
}
