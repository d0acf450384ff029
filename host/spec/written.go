package spec

// knobsSet lists the knobs that the user set, in table order.
func knobsSet(b *body) []string {
	var set []string
	for _, name := range knobAttributes {
		if b.wrote(name) {
			set = append(set, name)
		}
	}
	for _, n := range commonBlocks() {
		for _, found := range b.blocks[n.Name] {
			set = append(set, blockSet(n.Name, found)...)
		}
	}
	return set
}

func blockSet(name string, b *body) []string {
	switch name {
	case "on_failure", "circuit_breaker", "findings":
		return nil
	case "env":
		return []string{name}
	}
	var set []string
	if name == "algorithm" {
		set = append(set, "algorithm.name")
	}
	for _, a := range b.schema.Attributes {
		if path := name + "." + a.Name; b.wrote(a.Name) && !hostKnobs[path] {
			set = append(set, path)
		}
	}
	for _, n := range b.schema.Blocks {
		for _, nested := range b.blocks[n.Name] {
			set = append(set, blockSet(name+"."+n.Name, nested)...)
		}
	}
	if len(set) == 0 && len(b.attrs) == 0 {
		return []string{name}
	}
	return set
}

// wrote reports whether the user set an attribute to some value.
func (b *body) wrote(name string) bool {
	w, ok := b.attrs[name]
	return ok && (w.later != nil || !w.value.IsNull())
}
