package py

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The directives that Parse supports, as regular expressions from CPython's _strptime.
var timeParts = map[byte]string{
	'Y': `(?P<Y>\d\d\d\d)`, 'm': `(?P<m>1[0-2]|0[1-9]|[1-9])`, 'd': `(?P<d>3[0-1]|[1-2]\d|0[1-9]|[1-9]| [1-9])`,
	'H': `(?P<H>2[0-3]|[0-1]\d|\d)`, 'I': `(?P<I>1[0-2]|0[1-9]|[1-9])`, 'M': `(?P<M>[0-5]\d|\d)`,
	'S': `(?P<S>6[0-1]|[0-5]\d|\d)`, 'p': `(?P<p>am|pm)`,
}

// TimeFormat is a strptime format with the directives Y m d H I M S and p.
type TimeFormat struct {
	format  string
	pattern *regexp.Regexp
}

// NewTimeFormat compiles a format. It panics on other directives, because formats are constants in the program.
func NewTimeFormat(format string) *TimeFormat {
	pattern := "^(?i)"
	for i := 0; i < len(format); i++ {
		switch c := format[i]; c {
		case '%':
			i++
			part, ok := timeParts[format[i]]
			if !ok {
				panic("py: the directive %" + format[i:i+1] + " is not read")
			}
			pattern += part
		case ' ':
			pattern += `\s+`
		default:
			pattern += regexp.QuoteMeta(string(c))
		}
	}
	return &TimeFormat{format, regexp.MustCompile(pattern)}
}

// Parse returns datetime.strptime(v, format), in UTC. Without a date the result is on the first of January 1900.
func (f *TimeFormat) Parse(v Value) (time.Time, error) {
	text, ok := v.(string)
	if !ok {
		name := TypeName(v)
		if v == nil {
			name = "None"
		}
		return time.Time{}, TypeError("strptime() argument 1 must be str, not %s", name)
	}
	match := f.pattern.FindStringSubmatch(text)
	switch {
	case match == nil:
		return time.Time{}, ValueError("time data %s does not match format %s", Repr(text), Repr(f.format))
	case len(match[0]) < len(text):
		return time.Time{}, ValueError("unconverted data remains: %s", text[len(match[0]):])
	}
	parts := map[string]int{"Y": 1900, "m": 1, "d": 1}
	afternoon := false
	for i, name := range f.pattern.SubexpNames() {
		switch {
		case name == "p":
			afternoon = strings.EqualFold(match[i], "pm")
		case name != "":
			parts[name], _ = strconv.Atoi(strings.TrimSpace(match[i])) // only digits, cannot fail
		}
	}
	if hour, ok := parts["I"]; ok {
		parts["H"] = hour % 12
		if afternoon {
			parts["H"] += 12
		}
	}
	switch {
	case parts["Y"] == 0:
		return time.Time{}, ValueError("year 0 is out of range")
	case parts["S"] > 59:
		return time.Time{}, ValueError("second must be in 0..59")
	}
	t := time.Date(parts["Y"], time.Month(parts["m"]), parts["d"], parts["H"], parts["M"], parts["S"], 0, time.UTC)
	if t.Day() != parts["d"] {
		return time.Time{}, ValueError("day is out of range for month")
	}
	return t, nil
}
