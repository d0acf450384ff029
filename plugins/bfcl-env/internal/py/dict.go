package py

import (
	"fmt"
	"math"
	"math/big"
	"sync/atomic"
)

// Dict is a dictionary that preserves insertion order. Equal keys are a single key: 1, 1.0, and True.
//
// A copy of a frozen dictionary shares everything with the original until the copy is read, because most of an
// episode's state is never read.
type Dict struct {
	keys   []Value
	values []Value
	index  atomic.Pointer[index] // of the keys, built when needed
	frozen bool                  // neither the dictionary nor its content may change
	shared bool                  // keys and index are shared
	lazy   bool                  // the values are shared and not yet deep-copied
	text   string                // json.dumps of a frozen dictionary; empty: not stored
}

// index maps a key to its position.
type index map[hashKey]int

// maxLinearKeys is the maximum number of keys for which a linear search is faster than an index.
const maxLinearKeys = 48

// hashKey is the same for keys that are equal.
type hashKey struct {
	kind byte
	text string
	bits uint64
}

// NewDict returns a dictionary from alternating keys and values. Keys must be unique.
func NewDict(pairs ...Value) *Dict {
	d := MakeDict(len(pairs) / 2)
	for i := 0; i+1 < len(pairs); i += 2 {
		d.keys, d.values = append(d.keys, pairs[i]), append(d.values, pairs[i+1])
	}
	return d
}

// MakeDict returns an empty dictionary with space for the given number of entries.
func MakeDict(room int) *Dict {
	switch {
	case room == 0:
		return &Dict{}
	case room == 1:
		d := &struct {
			Dict
			both [2]Value
		}{}
		d.keys, d.values = d.both[:0:1], d.both[1:1]
		return &d.Dict
	case room <= smallCapacity:
		d := &struct {
			Dict
			both [2 * smallCapacity]Value
		}{}
		d.keys, d.values = d.both[:0:smallCapacity], d.both[smallCapacity:smallCapacity]
		return &d.Dict
	}
	both := make([]Value, 2*room)
	return &Dict{keys: both[:0:room], values: both[room:room]}
}

// smallCapacity is the number of entries whose space is allocated together with the dictionary.
const smallCapacity = 4

// Len returns the number of entries.
func (d *Dict) Len() int { return len(d.keys) }

// Keys returns the keys in order. The slice belongs to the dictionary.
func (d *Dict) Keys() []Value { return d.keys }

// Values returns the values in order. The slice belongs to the dictionary.
func (d *Dict) Values() []Value {
	d.copyValues()
	return d.values
}

// At returns the entry at a position.
func (d *Dict) At(i int) (key, value Value) {
	d.copyValues()
	return d.keys[i], d.values[i]
}

// Get returns the value for a key.
func (d *Dict) Get(key Value) (Value, bool) {
	if i := d.find(key); i >= 0 {
		d.copyValues()
		return d.values[i], true
	}
	return nil, false
}

// Field returns the value for a string key, or nil and false if it is missing.
func (d *Dict) Field(name string) (Value, bool) {
	i := d.findText(name)
	if i < 0 {
		return nil, false
	}
	d.copyValues()
	return d.values[i], true
}

// SetField sets the value for a string key, like Set.
func (d *Dict) SetField(name string, value Value) {
	if i := d.findText(name); i >= 0 {
		d.copyValues()
		d.values[i] = value
		return
	}
	d.Set(name, value)
}

// Like returns the value for another dictionary's key at a given position. It tries the same position first, because
// that is usually the right one.
func (d *Dict) Like(other *Dict, at int) (Value, bool) {
	i := d.findLike(other, at)
	if i < 0 {
		return nil, false
	}
	d.copyValues()
	return d.values[i], true
}

func (d *Dict) findLike(other *Dict, at int) int {
	key := other.keys[at]
	if at < len(d.keys) {
		a, ok := key.(string)
		b, too := d.keys[at].(string)
		if ok && too && a == b {
			return at
		}
	}
	return d.find(key)
}

// Or returns the value for a key, or a default: dict.get(key, other).
func (d *Dict) Or(key, other Value) Value {
	if v, ok := d.Get(key); ok {
		return v
	}
	return other
}

// Item returns the value for a key or raises KeyError: d[key].
func (d *Dict) Item(key Value) (Value, error) {
	if err := Hashable(key); err != nil {
		return nil, err
	}
	if v, ok := d.Get(key); ok {
		return v, nil
	}
	return nil, keyError(key)
}

// Has reports whether a key exists.
func (d *Dict) Has(key Value) bool { return d.find(key) >= 0 }

// Set changes the value for a key, or adds the key at the end. An existing key is kept as it was first written.
func (d *Dict) Set(key, value Value) {
	d.copyValues()
	if i := d.find(key); i >= 0 {
		d.values[i] = value
		return
	}
	d.unshareKeys()
	d.keys, d.values = append(d.keys, key), append(d.values, value)
	if index := d.index.Load(); index != nil {
		(*index)[hashOf(key)] = len(d.keys) - 1
	}
}

// copyValues copies the values that a copy shares with its original.
func (d *Dict) copyValues() {
	if !d.lazy {
		return
	}
	values := make([]Value, len(d.values), len(d.values)+1)
	for i, value := range d.values {
		values[i] = DeepCopy(value)
	}
	d.values, d.lazy = values, false
}

// unshareKeys copies shared keys and drops the shared index before a change.
func (d *Dict) unshareKeys() {
	if d.shared {
		d.keys, d.shared = append(make([]Value, 0, len(d.keys)+4), d.keys...), false
		d.index.Store(nil)
	}
}

// Delete removes a key and reports whether it existed.
func (d *Dict) Delete(key Value) bool {
	i := d.find(key)
	if i < 0 {
		return false
	}
	d.copyValues()
	d.unshareKeys()
	d.keys = append(d.keys[:i], d.keys[i+1:]...)
	d.values = append(d.values[:i], d.values[i+1:]...)
	d.index.Store(nil)
	return true
}

// Copy returns a shallow copy.
func (d *Dict) Copy() *Dict {
	d.copyValues()
	out := d.withKeys()
	out.values = append(make([]Value, 0, len(d.values)+2), d.values...)
	return out
}

// withKeys returns a dictionary with the same keys but no values.
func (d *Dict) withKeys() *Dict {
	if !d.frozen && !d.shared {
		return &Dict{keys: append([]Value(nil), d.keys...)}
	}
	out := &Dict{keys: d.keys, shared: true}
	out.index.Store(d.index.Load())
	return out
}

func (d *Dict) find(key Value) int {
	if len(d.keys) > maxLinearKeys {
		return d.lookUp(key)
	}
	if text, ok := key.(string); ok {
		return d.findText(text)
	}
	for i, k := range d.keys {
		if Equal(k, key) {
			return i
		}
	}
	return -1
}

func (d *Dict) findText(text string) int {
	if len(d.keys) > maxLinearKeys {
		return d.lookUp(text)
	}
	for i, k := range d.keys {
		if other, ok := k.(string); ok && other == text {
			return i
		}
	}
	return -1
}

// lookUp finds a key by means of the index. Several goroutines may read a dictionary if it is not being changed.
func (d *Dict) lookUp(key Value) int {
	found := d.index.Load()
	if found == nil {
		all := make(index, len(d.keys))
		for i, key := range d.keys {
			all[hashOf(key)] = i
		}
		found = &all
		d.index.Store(found)
	}
	if i, ok := (*found)[hashOf(key)]; ok {
		return i
	}
	return -1
}

// hashOf returns the hash key of a value. All unhashable values have the same hash key, which no key has.
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
	case Bytes:
		return hashKey{kind: 'y', text: string(v)}
	case Complex:
		if v.Imag == 0 {
			return hashOfFloat(v.Real)
		}
		return hashKey{kind: 'c', text: fmt.Sprint(v.Real, v.Imag)}
	}
	return hashKey{}
}

// hashOfFloat returns the hash key of the int that is equal to the float.
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

// Hashable returns the TypeError for a value that cannot be a key.
func Hashable(v Value) error {
	switch v := v.(type) {
	case *List, *Dict, *Set, Slice:
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

// Freeze marks a value and its content as immutable, so that copies share as much as possible. Several goroutines may
// then read it.
func Freeze(v Value) {
	switch v := v.(type) {
	case *List:
		for _, item := range v.Items {
			Freeze(item)
		}
	case Tuple:
		for _, item := range v {
			Freeze(item)
		}
	case *Dict:
		v.copyValues()
		v.frozen = true
		if len(v.keys) > maxLinearKeys {
			v.lookUp(nil) // shared with the copies
		}
		for _, value := range v.values {
			Freeze(value)
		}
	}
}

// DeepCopy copies lists, tuples, and dictionaries with their contents.
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
		out := v.withKeys()
		if v.frozen || v.lazy {
			out.values, out.lazy = v.values, true
			return out
		}
		out.values = make([]Value, len(v.values))
		for i, value := range v.values {
			out.values[i] = DeepCopy(value)
		}
		return out
	}
	return v
}
