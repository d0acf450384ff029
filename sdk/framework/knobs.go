package framework

import (
	"reflect"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// Knob returns the value of the knob at a path, as in sdk.Knobs.Set, or nil if the spec does not set it.
func Knob(knobs sdk.Knobs, path string) any {
	v := reflect.ValueOf(knobs)
	for name := range strings.SplitSeq(path, ".") {
		for i := range v.NumField() {
			if tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); tag == name {
				v = v.Field(i)
				break
			}
		}
		if v.Kind() == reflect.Pointer && v.IsNil() {
			return nil
		}
		v = reflect.Indirect(v)
	}
	return v.Interface()
}

// EmptyBlocks are the blocks of knobs that a spec may write without setting anything in them.
var EmptyBlocks = map[string]bool{
	"batch": true, "mini_batch": true, "optimizer": true, "algorithm": true, "sampling": true, "limits": true,
	"validate": true, "validate.sampling": true, "checkpoint": true,
}
