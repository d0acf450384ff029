package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/awhost/awhost/sdk/schema"
)

func quote(s string) string { return fmt.Sprintf("%q", s) }

// fromJSON parses an attribute's default.
func fromJSON(text json.RawMessage, t schema.Type) (cty.Value, error) {
	s, err := shapeOf(t)
	if err != nil {
		return cty.NilVal, err
	}
	if s.kind != "" || s.elem != nil {
		return cty.NilVal, fmt.Errorf("a reference cannot have a default")
	}
	return ctyjson.Unmarshal(text, s.ty)
}

// toJSON converts a value without marks for encoding/json: maps have sorted keys, numbers are as short as float64
// allows, and whole numbers are exact. Null attributes in objects are omitted; blocks become addresses.
func toJSON(v cty.Value) any {
	if !v.IsKnown() || v.IsNull() {
		return nil
	}
	if n, ok := asReference(v); ok && (v.Type().Equals(referenceType) || v.RawEquals(unmarked(n.value))) {
		return n.address
	}
	ty := v.Type()
	switch {
	case ty == cty.String:
		return v.AsString()
	case ty == cty.Bool:
		return v.True()
	case ty == cty.Number:
		return jsonNumber(v.AsBigFloat())
	case ty.IsObjectType() || ty.IsMapType():
		return jsonObject(v)
	case ty.IsListType() || ty.IsSetType() || ty.IsTupleType():
		list := make([]any, 0, v.LengthInt())
		for _, element := range v.AsValueSlice() {
			list = append(list, toJSON(element))
		}
		return list
	}
	return nil
}

func jsonObject(v cty.Value) map[string]any {
	object := map[string]any{}
	for name, value := range v.AsValueMap() {
		if name == referenceAttribute || v.Type().IsObjectType() && value.IsNull() {
			continue
		}
		object[name] = toJSON(value)
	}
	return object
}

func unmarked(v cty.Value) cty.Value {
	plain, _ := v.UnmarkDeep()
	return plain
}

// jsonNumber keeps whole numbers exact, such as a seed above 2^53.
func jsonNumber(f *big.Float) any {
	if f.IsInf() {
		return nil // accept refuses it where it is invalid
	}
	if f.IsInt() && f.MantExp(nil) <= 128 {
		return json.Number(f.Text('f', 0))
	}
	rounded, _ := f.Float64()
	text, err := json.Marshal(rounded)
	if err != nil { // infinite: larger than any float64
		return json.Number(f.Text('g', 17))
	}
	return json.Number(text)
}

// mustJSON encodes the result of toJSON.
func mustJSON(v any) json.RawMessage {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(fmt.Sprintf("spec: write canonical JSON: %v", err))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
