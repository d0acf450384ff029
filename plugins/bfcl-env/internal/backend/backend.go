// Package backend executes the calls of an episode: it holds the instances of the API classes that an entry involves, finds
// the method that a call means, and writes down what it answers, as BFCL's executor does.
//
//	b, err := backend.New(world, entry.Classes, config, backend.Names("m", entry.ID, world.Profile))
//	output := b.Execute("cd(folder='documents')")        // {"current_working_directory": "documents"}
//	state := b.State()                                   // what a checker compares
//
// Nothing is ever evaluated as Python: a call has a name and literals, or calls of known methods, as arguments. All of an
// episode's state is in its Backend: it is gone when nobody holds it any more.
package backend

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// Backend holds the instances of an episode. One goroutine at a time may use it.
type Backend struct {
	world     *api.World
	instances []instance
	methods   map[string]bound // shared by all backends of these classes
	call      py.Call          // the last plain one, for its buffers
	computed  int              // of the bytes that expressions in calls may make in all, what is left
}

// maxComputed bounds what expressions in the calls of an episode make in all: a few characters write down millions.
const maxComputed = 16 << 20

// instance is an object of an API class.
type instance struct {
	api.Instance
	class  *api.Class
	naming Naming
}

// name is the one that the reference's program knows it by.
func (i instance) name() string { return i.naming(i.class.Name) }

// bound is a method of an instance.
type bound struct {
	method *api.Method
	at     int // of instances
}

// Naming gives the instance of a class its name. Names can be seen where a text holds what looks like a call.
type Naming func(class string) string

// New makes the instances of classes from an entry's configuration, which stays as it is. An unknown class is an error; so is
// a configuration that its class cannot load.
func New(world *api.World, classes []string, config *py.Dict, name Naming) (*Backend, error) {
	b := &Backend{world: world, methods: methodsOf(classes, world.Profile), instances: make([]instance, 0, len(classes)), computed: maxComputed}
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

// known are the methods of lists of classes by profile: there are few.
var known [api.Profiles]sync.Map // "class,class" → map[string]bound

// methodsOf finds the methods of classes.
func methodsOf(classes []string, profile api.Profile) map[string]bound {
	key := strings.Join(classes, ",")
	if found, ok := known[profile].Load(key); ok {
		return found.(map[string]bound)
	}
	out := map[string]bound{}
	for at, class := range classes {
		c := api.Classes[class]
		if c == nil {
			return nil // New says so
		}
		for _, method := range c.Methods(profile) {
			out[method] = bound{c.Method(method, profile), at}
		}
	}
	found, _ := known[profile].LoadOrStore(key, out)
	return found.(map[string]bound)
}

// special are characters of a name that become underscores.
var special = strings.NewReplacer("-", "_", ".", "_", "/", "_", ":", "_")

// Names are the instance names of a profile's program, for a player and an entry.
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

// Execute answers a call that is written as Python source.
func (b *Backend) Execute(call string) string {
	v, err := b.run(call)
	return render(v, err)
}

// Call answers a call of a method with named arguments.
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

// raisedMark begins what a model sees of an exception.
const raisedMark = "Error during execution:"

// Raised reports whether an answer of Execute or Call is an exception.
func Raised(answer string) bool { return strings.HasPrefix(answer, raisedMark) }

// render writes an answer down as the model sees it.
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
			return render(nil, err) // str raises it, too
		}
	}
	return py.Str(v)
}

// State gives the public state of each class that has one, in the order of the entry: what a checker compares. The values belong to the
// instances.
func (b *Backend) State() *py.Dict {
	out := py.NewDict()
	for _, i := range b.instances {
		if public := i.Public(); public.Len() > 0 {
			out.Set(i.class.Name, public)
		}
	}
	return out
}

// Private gives the rest of the state of each class that has some.
func (b *Backend) Private() *py.Dict {
	out := py.NewDict()
	for _, i := range b.instances {
		if private := i.Instance.Private(); private.Len() > 0 {
			out.Set(i.class.Name, private)
		}
	}
	return out
}

// Differences compares the public state with that of another backend of the same entry, class by class, and names the first
// class that differs and its attributes. An error is what comparing raises, for values that contain themselves.
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
