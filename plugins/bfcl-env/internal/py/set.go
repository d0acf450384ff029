package py

// Set is a set. CPython orders it by its hash table, whose order is the same in every process for numbers. Strings have
// different hashes in each process, so sets that contain strings are in insertion order here.
type Set struct{ d *Dict }

// NewSet returns a set of values, each of which must be hashable.
func NewSet(items ...Value) (*Set, error) {
	s := &Set{d: NewDict()}
	for _, item := range items {
		if err := Hashable(item); err != nil {
			return nil, err
		}
		if !s.d.Has(item) {
			s.d.Set(item, nil)
		}
	}
	return s, nil
}

// Items returns the members in print order. The caller must not change them.
func (s *Set) Items() []Value {
	if ordered, ok := s.table(); ok {
		return ordered
	}
	return s.d.keys
}

func (s *Set) has(v Value) bool { return s.d.Has(v) }

// subset reports whether all members are in another set.
func (s *Set) subset(other *Set) bool {
	for _, item := range s.d.keys {
		if !other.has(item) {
			return false
		}
	}
	return true
}

// chosen returns the set members that satisfy a rule, in order.
func chosen(keep func(Value) bool, sets ...*Set) *Set {
	out := &Set{d: NewDict()}
	for _, s := range sets {
		for _, item := range s.d.keys {
			if keep(item) && !out.has(item) {
				out.d.Set(item, nil)
			}
		}
	}
	return out
}

// Parameters of CPython 3.11's hash table: its initial size, and the number of slots that are probed after an occupied
// one.
const (
	initialSlots = 8
	linearSlots  = 9
)

// table returns the members in the order of CPython's hash table. ok is false if a hash is unknown.
func (s *Set) table() (ordered []Value, ok bool) {
	slots, mask, fill := make([]*Value, initialSlots), uint64(initialSlots-1), 0
	for i := range s.d.keys {
		hash, known := hashOfNumber(s.d.keys[i])
		if !known {
			return nil, false
		}
		place(slots, mask, hash, &s.d.keys[i])
		if fill++; uint64(fill)*5 >= mask*3 {
			slots, mask = grown(slots, fill)
		}
	}
	for _, slot := range slots {
		if slot != nil {
			ordered = append(ordered, *slot)
		}
	}
	return ordered, true
}

func grown(slots []*Value, used int) ([]*Value, uint64) {
	size := initialSlots
	for size <= used*4 {
		size *= 2
	}
	out := make([]*Value, size)
	for _, slot := range slots {
		if slot != nil {
			hash, _ := hashOfNumber(*slot)
			place(out, uint64(size-1), hash, slot)
		}
	}
	return out, uint64(size - 1)
}

func place(slots []*Value, mask, hash uint64, v *Value) {
	for i, perturb := hash&mask, hash; ; {
		probes := uint64(0)
		if i+linearSlots <= mask {
			probes = linearSlots
		}
		for at := i; at <= i+probes; at++ {
			if slots[at] == nil {
				slots[at] = v
				return
			}
		}
		perturb >>= 5
		i = (i*5 + 1 + perturb) & mask
	}
}

// hashOfNumber returns hash(v) for a bool, an int that fits in a word, or a float that is equal to such an int.
func hashOfNumber(v Value) (uint64, bool) {
	n, ok := numberOf(v)
	if !ok || n.big != nil {
		return 0, false
	}
	if n.isFloat {
		if n.float != float64(int64(n.float)) {
			return 0, false
		}
		n.whole = int(n.float)
	}
	const modulus = 1<<61 - 1
	hash := int64(n.whole % modulus)
	if hash == -1 {
		hash = -2
	}
	return uint64(hash), true
}

// bothSets returns both values as sets, if both are sets.
func bothSets(a, b Value) (x, y *Set, ok bool) {
	x, isX := a.(*Set)
	y, isY := b.(*Set)
	return x, y, isX && isY
}

// orderOfSets compares sets by content: a proper subset is less than its superset.
func orderOfSets(a, b *Set) int {
	switch within, around := a.subset(b), b.subset(a); {
	case within && around:
		return 0
	case within:
		return -1
	case around:
		return 1
	}
	return unordered
}
