package py

import (
	"fmt"
	"math"
	"math/big"
)

// Dict is a dictionary in the order of insertion. Keys that are equal are one key: 1, 1.0 and True.
type Dict struct {
	keys   []Value
	values []Value
	index  map[hashKey]int // of the keys; nil while there are few
	text   string          // json.dumps of a frozen dictionary
}

// few keys are found faster by looking at each.
const few = 8

// hashKey is equal for keys that are equal.
type hashKey struct {
	kind byte
	text string
	bits uint64
}

// NewDict makes a dictionary of keys and values in turn.
func NewDict(pairs ...Value) *Dict {
	d := &Dict{keys: make([]Value, 0, len(pairs)/2), values: make([]Value, 0, len(pairs)/2)}
	for i := 0; i+1 < len(pairs); i += 2 {
		d.Set(pairs[i], pairs[i+1])
	}
	return d
}

// Len is the number of entries.
func (d *Dict) Len() int { return len(d.keys) }

// Keys lists the keys in order. The slice belongs to the dictionary.
func (d *Dict) Keys() []Value { return d.keys }

// Values lists the values in order. The slice belongs to the dictionary.
func (d *Dict) Values() []Value { return d.values }

// At is the entry at a position.
func (d *Dict) At(i int) (key, value Value) { return d.keys[i], d.values[i] }

// Get finds a value.
func (d *Dict) Get(key Value) (Value, bool) {
	if i := d.find(key); i >= 0 {
		return d.values[i], true
	}
	return nil, false
}

// Or finds a value, or gives another: dict.get(key, other).
func (d *Dict) Or(key, other Value) Value {
	if v, ok := d.Get(key); ok {
		return v
	}
	return other
}

// Item finds a value, or raises KeyError: d[key].
func (d *Dict) Item(key Value) (Value, error) {
	if err := Hashable(key); err != nil {
		return nil, err
	}
	if v, ok := d.Get(key); ok {
		return v, nil
	}
	return nil, KeyError(key)
}

// Has says whether there is a key.
func (d *Dict) Has(key Value) bool { return d.find(key) >= 0 }

// Set changes the value of a key, or adds it at the end. An old key stays as it was written first.
func (d *Dict) Set(key, value Value) {
	if i := d.find(key); i >= 0 {
		d.values[i] = value
		return
	}
	d.keys, d.values = append(d.keys, key), append(d.values, value)
	switch {
	case d.index != nil:
		d.index[hashOf(key)] = len(d.keys) - 1
	case len(d.keys) > few:
		d.reindex()
	}
}

// Delete removes a key; it reports whether there was one.
func (d *Dict) Delete(key Value) bool {
	i := d.find(key)
	if i < 0 {
		return false
	}
	d.keys = append(d.keys[:i], d.keys[i+1:]...)
	d.values = append(d.values[:i], d.values[i+1:]...)
	if d.index != nil {
		d.reindex()
	}
	return true
}

// Copy is a shallow copy.
func (d *Dict) Copy() *Dict {
	out := &Dict{keys: append([]Value(nil), d.keys...), values: append([]Value(nil), d.values...)}
	if d.index != nil {
		out.reindex()
	}
	return out
}

func (d *Dict) reindex() {
	d.index = make(map[hashKey]int, len(d.keys))
	for i, key := range d.keys {
		d.index[hashOf(key)] = i
	}
}

func (d *Dict) find(key Value) int {
	if d.index != nil {
		if i, ok := d.index[hashOf(key)]; ok {
			return i
		}
		return -1
	}
	if text, ok := key.(string); ok {
		for i, k := range d.keys {
			if other, ok := k.(string); ok && other == text {
				return i
			}
		}
		return -1
	}
	for i, k := range d.keys {
		if Equal(k, key) {
			return i
		}
	}
	return -1
}

// hashOf is the hash key of a value. Values that cannot be keys have the same, which is no key's.
func hashOf(v Value) hashKey {
	switch v := v.(type) {
	case string:
		return hashKey{kind: 's', text: v}
	case nil:
		return hashKey{kind: 'n'}
	case bool:
		if v {
			return hashKey{kind: 'i', bits: 1}
		}
		return hashKey{kind: 'i'}
	case int:
		return hashKey{kind: 'i', bits: uint64(v)}
	case *big.Int:
		return hashKey{kind: 'b', text: v.String()}
	case float64:
		return hashOfFloat(v)
	case Tuple:
		var items []byte
		for _, item := range v {
			key := hashOf(item)
			items = fmt.Appendf(items, "%c%x,%d:%s", key.kind, key.bits, len(key.text), key.text)
		}
		return hashKey{kind: 't', text: string(items)}
	case Ellipsis:
		return hashKey{kind: 'e'}
	}
	return hashKey{}
}

// hashOfFloat is that of the int which the float equals.
func hashOfFloat(f float64) hashKey {
	switch {
	case f != math.Trunc(f), math.IsInf(f, 0):
		return hashKey{kind: 'f', bits: math.Float64bits(f)}
	case math.Abs(f) < 1<<62:
		return hashKey{kind: 'i', bits: uint64(int64(f))}
	}
	whole, _ := big.NewFloat(f).Int(nil)
	return hashOf(normal(whole))
}

// Hashable is the TypeError of a value that cannot be a key.
func Hashable(v Value) error {
	switch v := v.(type) {
	case *List, *Dict:
		return TypeError("unhashable type: '%s'", TypeName(v))
	case Tuple:
		for _, item := range v {
			if err := Hashable(item); err != nil {
				return err
			}
		}
	}
	return nil
}

// DeepCopy copies lists and dictionaries, and everything in them.
func DeepCopy(v Value) Value {
	switch v := v.(type) {
	case *List:
		out := &List{Items: make([]Value, len(v.Items))}
		for i, item := range v.Items {
			out.Items[i] = DeepCopy(item)
		}
		return out
	case Tuple:
		out := make(Tuple, len(v))
		for i, item := range v {
			out[i] = DeepCopy(item)
		}
		return out
	case *Dict:
		out := &Dict{keys: append([]Value(nil), v.keys...), values: make([]Value, len(v.values))}
		for i, value := range v.values {
			out.values[i] = DeepCopy(value)
		}
		if v.index != nil {
			out.reindex()
		}
		return out
	}
	return v
}
