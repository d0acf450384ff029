// Package backend executes the calls in an episode. It holds the instances of the API classes that an entry involves,
// finds the method for a call, and renders its result as BFCL's executor does.
//
//	b, err := backend.New(world, entry.Classes, config, backend.Names("m", entry.ID, world.Profile))
//	output := b.Execute("cd(folder='documents')")        // {"current_working_directory": "documents"}
//	state := b.State()                                   // the state that a checker compares
//
// Nothing is ever evaluated as Python: a call has a name and literals, or calls of known methods, as arguments. All of
// an episode's state is held in its Backend and is freed with it.
package backend

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// Backend holds an episode's instances. Only one goroutine at a time may use it.
type Backend struct {
	world     *api.World
	instances []instance
	methods   map[string]bound // shared by all backends of these classes
	computed  int              // remaining bytes that expressions in calls may produce
}

// maxComputed bounds the total output of expressions in an episode's calls, because a few characters can produce
// millions.
const maxComputed = 16 << 20

// instance is an object of an API class.
type instance struct {
	api.Instance
	class  *api.Class
	naming Naming
}

// name returns the instance's name in the reference program.
func (i instance) name() string { return i.naming(i.class.Name) }

// bound is a method of an instance.
type bound struct {
	method *api.Method
	at     int // index in instances
}

// Naming returns the name of a class's instance. Names become visible if a string contains something that looks like a
// call.
type Naming func(class string) string

// New creates the instances of classes from an entry's configuration, which it does not change. It returns an error for
// an unknown class, or for a configuration that the class cannot load.
func New(world *api.World, classes []string, config *py.Dict, name Naming) (*Backend, error) {
	b := &Backend{world: world, methods: methodsOf(classes, world.Profile), instances: make([]instance, 0, len(classes)),
		computed: maxComputed}
	for _, class := range classes {
		c := api.Classes[class]
		if c == nil {
			return nil, fmt.Errorf("there is no API class %q", class)
		}
		own, _ := config.Or(class, py.NewDict()).(*py.Dict)
		if own == nil {
			return nil, fmt.Errorf("the configuration of %s is no object", class)
		}
		made := c.New(world)
		if err := made.Load(py.DeepCopy(own).(*py.Dict)); err != nil {
			return nil, fmt.Errorf("load the configuration of %s: %w", class, err)
		}
		b.instances = append(b.instances, instance{made, c, name})
	}
	return b, nil
}

// known caches the methods for lists of classes by profile. There are few lists.
var known [api.Profiles]sync.Map // "class,class" → map[string]bound

// methodsOf returns the methods of the given classes.
func methodsOf(classes []string, profile api.Profile) map[string]bound {
	key := strings.Join(classes, ",")
	if found, ok := known[profile].Load(key); ok {
		return found.(map[string]bound)
	}
	out := map[string]bound{}
	for at, class := range classes {
		c := api.Classes[class]
		if c == nil {
			return nil // New returns the error
		}
		for _, method := range c.Methods(profile) {
			out[method] = bound{c.Method(method, profile), at}
		}
	}
	found, _ := known[profile].LoadOrStore(key, out)
	return found.(map[string]bound)
}

// special replaces the characters that are not allowed in names with underscores.
var special = strings.NewReplacer("-", "_", ".", "_", "/", "_", ":", "_")

// Names returns the instance names of a profile's program, for a player and an entry.
func Names(player, entry string, profile api.Profile) Naming {
	return func(class string) string {
		if profile != api.V4 {
			class = strings.ToLower(class)
		}
		name := special.Replace(player + "_" + entry + "_" + class + "_instance")
		if profile == api.EnvTuning {
			name = "_uuid" + name
		}
		return name
	}
}

// Execute runs a call written as Python source and returns its result.
func (b *Backend) Execute(call string) string {
	v, err := b.run(call)
	return render(v, err)
}

// Call calls a method with named arguments and returns its result.
func (b *Backend) Call(name string, arguments *py.Dict) string {
	method, ok := b.methods[name]
	if !ok {
		if err := allowed(name); err != nil {
			return render(nil, err)
		}
		return render(nil, unknown(name))
	}
	names := make([]string, arguments.Len())
	for i, key := range arguments.Keys() {
		names[i] = py.Str(key)
	}
	v, err := method.method.Call(b.instances[method.at].Instance, nil, names, arguments.Values())
	return render(v, err)
}

func unknown(name string) error { return py.Raise("NameError", "name '%s' is not defined", name) }

// raisedMark is the prefix of an exception message as shown to the model.
const raisedMark = "Error during execution:"

// Raised reports whether a result of Execute or Call is an exception.
func Raised(answer string) bool { return strings.HasPrefix(answer, raisedMark) }

// render formats a result as it is shown to the model.
func render(v py.Value, err error) string {
	if err != nil {
		var raised *py.Error
		if errors.As(err, &raised) {
			return raisedMark + " " + raised.Text
		}
		return raisedMark + " " + err.Error()
	}
	switch v := v.(type) {
	case string:
		return v
	case *py.Dict:
		text, err := py.JSON(v)
		if err == nil {
			return text
		}
		if raised, ok := err.(*py.Error); ok && raised.Type == "ValueError" && strings.HasPrefix(raised.Text, "Exceeds") {
			return render(nil, err) // str raises the same error
		}
	}
	return py.Str(v)
}

// State returns the public state of each class that has one, in the entry's order. A checker compares it. The values
// belong to the instances.
func (b *Backend) State() *py.Dict {
	out := py.NewDict()
	for _, i := range b.instances {
		if public := i.Public(); public.Len() > 0 {
			out.Set(i.class.Name, public)
		}
	}
	return out
}

// Private returns the rest of the state for each class that has more.
func (b *Backend) Private() *py.Dict {
	out := py.NewDict()
	for _, i := range b.instances {
		if private := i.Instance.Private(); private.Len() > 0 {
			out.Set(i.class.Name, private)
		}
	}
	return out
}

// Differences compares the public state with another backend of the same entry, class by class. It returns the first
// class that differs, and the attributes that differ. It returns an error if the comparison raises one, for values that
// contain themselves.
func (b *Backend) Differences(truth *Backend) (class string, attributes []string, err error) {
	for i, t := range truth.instances {
		want, have := t.Public(), b.instances[i].Public()
		for j, name := range want.Keys() {
			v, _ := have.Like(want, j)
			equal, err := py.Compare(v, want.Values()[j], 0)
			if err != nil {
				return "", nil, err
			}
			if !equal {
				attributes = append(attributes, py.Str(name))
			}
		}
		if len(attributes) > 0 {
			return t.class.Name, attributes, nil
		}
	}
	return "", nil, nil
}
