package sdktest

import (
	"reflect"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// Knobs lists the paths of all knobs that a spec can set, as in sdk.Knobs.Set: leaves ("optimizer.learning_rate") and
// the blocks that contain them ("optimizer"). An adapter's test compares the adapter's knob table with them: each knob
// must be mapped, or refused with a reason.
func Knobs() (leaves, blocks []string) { return knobs(reflect.TypeFor[sdk.Knobs](), "") }

func knobs(t reflect.Type, prefix string) (leaves, blocks []string) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		path := strings.TrimPrefix(prefix+"."+name, ".")
		of := field.Type
		for of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		switch {
		case path == "set": // not a knob: it lists the paths that are set
		case of.Kind() == reflect.Struct:
			l, b := knobs(of, path)
			leaves, blocks = append(leaves, l...), append(append(blocks, path), b...)
		default:
			leaves = append(leaves, path)
		}
	}
	return leaves, blocks
}
