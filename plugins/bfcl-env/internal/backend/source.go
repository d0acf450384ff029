package backend

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/expr"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
	"github.com/awhost/awhost/sdk/pytext"
)

// run parses a call and executes it.
func (b *Backend) run(source string) (py.Value, error) {
	if !b.world.Verbatim {
		source = b.prefixed(source)
	}
	if err := allowed(source); err != nil {
		return nil, err
	}
	source = strings.TrimLeft(source, " \t")
	v, err := expr.Evaluate(source, b.answer)
	var syntax *py.SyntaxError
	if errors.As(err, &syntax) {
		return nil, py.Raise("SyntaxError", "%s", syntax.Python(source))
	}
	return v, err
}

// answer executes the method that a call names.
func (b *Backend) answer(call *py.Call) (py.Value, error) {
	for _, v := range slices.Concat(call.Args, call.Named) {
		if call.Computed && !py.Fits(v, &b.computed) {
			return nil, py.Raise("MemoryError", "")
		}
	}
	object, name, dotted := strings.Cut(call.Name, ".")
	if !dotted {
		method, ok := b.methods[object]
		if !ok {
			return nil, unknown(object)
		}
		return method.method.Call(b.instances[method.at].Instance, call.Args, call.Names, call.Named)
	}
	at := slices.IndexFunc(b.instances, func(i instance) bool { return i.name() == object })
	if at < 0 {
		return nil, unknown(object)
	}
	method, ok := b.methods[name]
	if !ok || method.at != at {
		return nil, py.Raise("AttributeError", "'%s' object has no attribute '%s'", b.instances[at].class.Name, name)
	}
	return method.method.Call(b.instances[at].Instance, call.Args, call.Names, call.Named)
}

// forbidden lists the names that the reference refuses to call.
var forbidden = []string{"kill", "exit", "quit", "remove", "unlink", "popen", "Popen", "run"}

func allowed(source string) error {
	name, _, _ := strings.Cut(source, "(")
	if parts := strings.Split(name, "."); len(parts) > 1 {
		name = parts[1]
	}
	if slices.Contains(forbidden, name) {
		return py.Raise("Exception", "Function call %s is not allowed.", name)
	}
	return nil
}

// prefixed writes the instance's name before each of its method names that precedes a parenthesis, and removes the
// space between a name and its parenthesis, even inside strings. The reference does the same and compares the result.
func (b *Backend) prefixed(source string) string {
	return Prefixed(source, func(name string) (string, bool) {
		method, ok := b.methods[name]
		if !ok {
			return "", false
		}
		return b.instances[method.at].name(), true
	})
}

// Prefixed rewrites a call into the source that a reference program would evaluate. See the method prefixed.
func Prefixed(source string, object func(method string) (string, bool)) string {
	var out strings.Builder
	from := 0
	for _, n := range calledNames(source) {
		name := source[n.start:n.end]
		out.WriteString(source[from:n.start])
		if instance, ok := object(name); ok {
			out.WriteString(instance + ".")
		}
		out.WriteString(name)
		from = n.parenthesis
	}
	return out.String() + source[from:]
}

// calledName is a name that precedes a parenthesis.
type calledName struct{ start, end, parenthesis int }

// calledNames returns the matches of Python's regular expression \b([a-zA-Z_]\w*)\s*(?=\(), where \w and \s match
// Unicode characters.
func calledNames(source string) []calledName {
	var out []calledName
	for i := 0; i < len(source); {
		c := source[i]
		if c < utf8.RuneSelf && !wordByte(c) {
			i++
			continue
		}
		start := i
		for i < len(source) {
			r, size := utf8.DecodeRuneInString(source[i:])
			if !pytext.IsWord(r) {
				break
			}
			i += size
		}
		if i == start { // a non-ASCII character that is not a word character
			_, size := utf8.DecodeRuneInString(source[i:])
			i += size
			continue
		}
		if c >= utf8.RuneSelf || c >= '0' && c <= '9' {
			continue
		}
		end := i
		for i < len(source) {
			r, size := utf8.DecodeRuneInString(source[i:])
			if !pytext.IsSpace(r) {
				break
			}
			i += size
		}
		if i < len(source) && source[i] == '(' {
			out = append(out, calledName{start, end, i})
		}
	}
	return out
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
