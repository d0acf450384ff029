package gateway

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// use is the decision about a field of a request. If a field that changes the prompt or the response were ignored, the
// trained program would differ from the intended one. Such a field is honored or rejected by name.
type use string

const (
	honored    use = "honored"
	verbatim   use = "verbatim"   // honored with all of its contents
	owned      use = "spec"       // decided by the spec: accepted, ignored, and counted
	constraint use = "constraint" // restricts the sampled message: see Constraints
	harmless   use = "no-effect"  // changes neither prompt nor answer
	provider   use = "provider"   // the type of a tool that a provider would run
	unwanted   use = "refused"
)

// The decision tables. docs/reference/gateway.md is generated from them.
var (
	//go:embed fields/chat.txt
	chatTable  string
	chatFields = parseFields(chatTable)

	//go:embed fields/responses.txt
	responsesTable  string
	responsesFields = parseFields(responsesTable)

	//go:embed fields/messages.txt
	messagesTable  string
	messagesFields = parseFields(messagesTable)
)

// decision is the decision in one line of a table.
type decision struct {
	use    use
	reason string
}

// field is a request field, with the decisions about its values and about the fields of the objects in it.
type field struct {
	path    string
	byValue map[string]decision
	other   decision // for other values; without a use, objects are decided field by field and other values are rejected
	members map[string]*field
}

// tableLine has the columns path, decision, values, reason.
var tableLine = regexp.MustCompile(`(?m)^([a-z_.]+) +([a-z-]+)(?: +([^ #][^#]*?))?(?: +# (.*))?$`)

func parseFields(table string) *field {
	root := &field{members: map[string]*field{}}
	for _, line := range tableLine.FindAllStringSubmatch(table, -1) {
		f, made := root.at(line[1]), decision{use(line[2]), line[4]}
		for _, value := range strings.Fields(line[3]) {
			f.byValue[value] = made
		}
		if line[3] == "" {
			f.other = made
		}
	}
	return root
}

// at returns the field at a path and adds it if it is missing.
func (f *field) at(path string) *field {
	for name := range strings.SplitSeq(path, ".") {
		inner := f.members[name]
		if inner == nil {
			inner = &field{
				path: strings.TrimPrefix(f.path+"."+name, "."), byValue: map[string]decision{}, members: map[string]*field{},
			}
			f.members[name] = inner
		}
		f = inner
	}
	return f
}

// fieldCheck compares a request with a table.
type fieldCheck struct {
	dec   *jsontext.Decoder
	owned []string // fields decided by the spec
}

// check rejects a request that contains a field that is neither honored nor without effect. It returns the fields that
// the spec determines. The body is known to be valid JSON.
func (f *field) check(body []byte) (spec []string, _ *problem) {
	c := fieldCheck{dec: newDecoder(body)}
	p := c.object(f)
	slices.Sort(c.owned)
	return slices.Compact(c.owned), p
}

// value checks the next value. foreign reports that the enclosing object is a tool that a provider would run.
func (c *fieldCheck) value(f *field) (p *problem, foreign bool) {
	switch kind := c.dec.PeekKind(); {
	case kind == 'n', len(f.byValue) == 0 && (f.other.use == verbatim || f.other.use == harmless):
		_ = c.dec.SkipValue()
	case kind == '[':
		_, _ = c.dec.ReadToken()
		for kind := c.dec.PeekKind(); kind != ']' && kind != 0; kind = c.dec.PeekKind() {
			q, other := c.value(f)
			p, foreign = cmp.Or(p, q), foreign || other
		}
		_, _ = c.dec.ReadToken()
	case kind == '{' && len(f.members) > 0:
		p = c.object(f)
	default:
		return c.whole(f)
	}
	return p, foreign
}

// object checks the fields of an object. A type error takes precedence.
func (c *fieldCheck) object(f *field) *problem {
	var ofType, ofOther *problem
	foreign := false
	_, _ = c.dec.ReadToken()
	for c.dec.PeekKind() == '"' {
		token, _ := c.dec.ReadToken()
		name := token.String()
		inner, known := f.members[name]
		if !known {
			inner = &field{}
		}
		p, other := c.value(inner)
		foreign = foreign || other
		if name == "type" {
			ofType = p
		}
		ofOther = cmp.Or(ofOther, p)
	}
	_, _ = c.dec.ReadToken()
	if foreign {
		return nil
	}
	return cmp.Or(ofType, ofOther)
}

// mostCompared is the size limit for values that are compared with the values in a table.
const mostCompared = 1 << 10

// whole checks a value that is decided as a whole.
func (c *fieldCheck) whole(f *field) (_ *problem, foreign bool) {
	raw, _ := c.dec.ReadValue()
	d := f.other
	if len(f.byValue) > 0 && len(raw) <= mostCompared {
		if special, listed := f.byValue[compact(sorted(raw))]; listed {
			d = special
		}
	}
	switch d.use {
	case owned:
		c.owned = append(c.owned, f.path)
	case unwanted, "":
		return c.refusal(f, raw, d.reason), false
	}
	return nil, d.use == provider
}

var listIndex = regexp.MustCompile(`/(\d+)`)

// refusal returns a problem that names the location of the value that was read last.
func (c *fieldCheck) refusal(f *field, raw []byte, reason string) *problem {
	place := placeOf(c.dec.StackPointer())
	what := fmt.Sprintf("%s = %s is not supported", place, shorten(compact(raw[:min(len(raw), mostCompared)])))
	if f.path == "" {
		what = "awhost does not know " + place
	}
	if reason == "" {
		reason = "it may change the prompt or the answer, so remove it"
	}
	return refused(place, "%s: %s", what, reason)
}

func compact(value []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return string(value)
	}
	return b.String()
}

func shorten(text string) string {
	const most = 80
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
