package decode

import (
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
	"github.com/awhost/awhost/sdk/pytext"
)

// Tools parses the calls in a JSON string: an object with name and arguments, or a list of such objects. Other items
// are skipped. A string without any calls is an error, as is a call that is invalid Python when written as source.
func Tools(content string) ([]string, error) { return Text(ToolsText(content), api.EnvTuning) }

// ToolsText returns the calls in a JSON string as Python source, in a list.
func ToolsText(content string) string {
	v, err := py.ParseJSON([]byte(content))
	if err != nil {
		return "[]"
	}
	items := []py.Value{v}
	if l, ok := v.(*py.List); ok {
		items = l.Items
	}
	var calls []string
	for _, item := range items {
		if call, ok := source(item); ok {
			calls = append(calls, call)
		}
	}
	return "[" + strings.Join(calls, ", ") + "]"
}

func source(item py.Value) (string, bool) {
	call, ok := item.(*py.Dict)
	if !ok {
		return "", false
	}
	name, _ := call.Or("name", nil).(string)
	if name = pytext.Strip(name); name == "" {
		return "", false
	}
	arguments, ok := call.Or("arguments", nil).(*py.Dict)
	if !ok {
		arguments = py.NewDict()
	}
	parts := make([]string, arguments.Len())
	for i := range parts {
		key, v := arguments.At(i)
		parts[i] = py.Str(key) + "=" + py.Repr(v)
	}
	return name + "(" + strings.Join(parts, ", ") + ")", true
}
