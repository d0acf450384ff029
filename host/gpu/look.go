package gpu

import (
	"errors"
	"fmt"
)

// errUnsupported reports that a device lacks the property. It does not count as a problem of the device.
var errUnsupported = errors.New("not supported")

func look(l library) (Inventory, error) {
	if err := l.open(); err != nil {
		return Inventory{}, err
	}
	defer l.close()
	count, err := l.count()
	if err != nil {
		return Inventory{}, &Unavailable{ReasonFailed, fmt.Sprintf("count GPUs: %v", err)}
	}
	out := Inventory{GPUs: make([]GPU, 0, count)}
	out.Driver, _ = l.driver() // an unreported version is absent
	out.CUDA, _ = l.cuda()
	for i := range count {
		out.GPUs = append(out.GPUs, lookAt(l, i))
	}
	return out, nil
}

func lookAt(l library, index int) GPU {
	g := GPU{Index: index}
	d, err := l.device(index)
	if err != nil {
		g.Problems = append(g.Problems, err.Error())
		return g
	}
	note := func(what string, err error) {
		if err != nil && !errors.Is(err, errUnsupported) {
			g.Problems = append(g.Problems, what+": "+err.Error())
		}
	}
	g.Name, err = d.name()
	note("name", err)
	g.UUID, err = d.uuid()
	note("uuid", err)
	g.Memory, err = known(d.memory())
	note("memory", err)
	g.Utilization, err = known(d.utilization())
	note("utilisation", err)
	g.Processes, err = known(d.processes())
	note("processes", err)
	g.MIG, err = d.mig()
	note("mig", err)
	if g.MIG {
		g.Instances, err = instancesOf(d)
		note("instances", err)
	}
	return g
}

func instancesOf(d device) ([]Instance, error) {
	devices, err := d.instances()
	out := make([]Instance, 0, len(devices))
	for _, part := range devices {
		var instance Instance
		instance.Name, _ = part.name() // an instance that disappears meanwhile has missing fields
		instance.UUID, _ = part.uuid()
		instance.Memory, _ = known(part.memory())
		out = append(out, instance)
	}
	return out, err
}

// known returns nil for a value that could not be read.
func known[T any](value T, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	return &value, nil
}
