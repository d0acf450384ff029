package decode_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/backend"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/decode"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/golden"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

func get(record *py.Dict, key string) string { return py.Str(record.Or(key, nil)) }

// compare checks a file of records against a function that returns the wanted and the actual result.
func compare(t *testing.T, file string, both func(record *py.Dict) (want, got any)) {
	t.Helper()
	compared, wrong := 0, 0
	for record := range golden.Records(t, file) {
		compared++
		want, got := both(record)
		if diff := cmp.Diff(want, got); diff != "" {
			if wrong++; wrong <= 10 {
				t.Errorf("%s (-want +got):\n%s", py.Repr(record), diff)
			}
		}
	}
	t.Logf("compared %d, %d differ", compared, wrong)
}

func TestResponses(t *testing.T) {
	compare(t, "parse_et", func(record *py.Dict) (want, got any) {
		content, kind, problem := decode.Response(get(record, "s"))
		if problem == "" {
			problem = string(kind)
		}
		return []string{get(record, "content"), get(record, "msg")}, []string{content, problem}
	})
}

// decoded returns the calls of a record, or "an error". The texts of errors come from CPython's parser and are not
// compared.
func decoded(record *py.Dict) any {
	v, ok := record.Get("decoded")
	if !ok {
		return "an error"
	}
	out := []string{}
	for _, call := range v.(*py.List).Items {
		out = append(out, call.(string))
	}
	return out
}

func result(calls []string, err error) any {
	if err != nil {
		return "an error"
	}
	return calls
}

func TestText(t *testing.T) {
	compare(t, "decode_v4", func(record *py.Dict) (want, got any) {
		return decoded(record), result(decode.Text(get(record, "text"), api.V4))
	})
}

func TestTools(t *testing.T) {
	compare(t, "decode_et", func(record *py.Dict) (want, got any) {
		return []any{get(record, "call_string"), decoded(record)},
			[]any{decode.ToolsText(get(record, "raw")), result(decode.Tools(get(record, "raw")))}
	})
}

// A name before a parenthesis must get its instance as a prefix.
func TestPrefixed(t *testing.T) {
	compare(t, "process_calls", func(record *py.Dict) (want, got any) {
		return get(record, "r"), backend.Prefixed(get(record, "s"), func(method string) (string, bool) {
			for name, class := range api.Classes {
				if class.Method(method, api.V4) != nil || class.Method(method, api.V3) != nil {
					return "INST_" + name, true
				}
			}
			return "", false
		})
	})
}
