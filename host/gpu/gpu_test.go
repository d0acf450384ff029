package gpu

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeLibrary is a driver with some devices.
type fakeLibrary struct {
	failure error
	devices []fakeDevice
	hold    chan struct{} // nil: responds immediately
	opened  int
}

func (l *fakeLibrary) open() error {
	if l.hold != nil {
		<-l.hold
	}
	l.opened++
	return l.failure
}

func (l *fakeLibrary) close()                  { l.opened-- }
func (l *fakeLibrary) driver() (string, error) { return "570.86.15", nil }
func (l *fakeLibrary) cuda() (string, error)   { return "12.8", nil }
func (l *fakeLibrary) count() (int, error)     { return len(l.devices), nil }

func (l *fakeLibrary) device(index int) (device, error) {
	if l.devices[index].lost != nil {
		return nil, l.devices[index].lost
	}
	return l.devices[index], nil
}

// fakeDevice returns its fields. With noReadings the utilization queries fail.
type fakeDevice struct {
	title, id  string
	total      uint64
	used       uint64
	busy       int
	running    int
	parts      []fakeDevice
	noReadings error
	lost       error
}

func (d fakeDevice) name() (string, error)     { return d.title, nil }
func (d fakeDevice) uuid() (string, error)     { return d.id, nil }
func (d fakeDevice) memory() (Memory, error)   { return Memory{d.total, d.used}, nil }
func (d fakeDevice) utilization() (int, error) { return d.busy, d.noReadings }
func (d fakeDevice) processes() (int, error)   { return d.running, d.noReadings }
func (d fakeDevice) mig() (bool, error)        { return len(d.parts) > 0, nil }

func (d fakeDevice) instances() ([]device, error) {
	var out []device
	for _, p := range d.parts {
		out = append(out, p)
	}
	return out, nil
}

func pointer[T any](value T) *T { return &value }

func TestRead_TellsWhatTheDriverKnows(t *testing.T) {
	l := &fakeLibrary{devices: []fakeDevice{
		{title: "NVIDIA H200", id: "GPU-1", total: 150 << 30, used: 3 << 30, busy: 97, running: 2},
		{title: "NVIDIA A100", id: "GPU-2", total: 80 << 30, noReadings: errUnsupported,
			parts: []fakeDevice{{title: "NVIDIA A100 MIG 1g.10gb", id: "MIG-1", total: 10 << 30}}},
		{title: "NVIDIA T4", id: "GPU-3", total: 16 << 30, noReadings: errors.New("GPU is lost")},
		{lost: errors.New("no permission")},
	}}
	got, err := newReader(l).Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := Inventory{Driver: "570.86.15", CUDA: "12.8", GPUs: []GPU{
		{Index: 0, Name: "NVIDIA H200", UUID: "GPU-1", Memory: &Memory{150 << 30, 3 << 30}, Utilization: pointer(97),
			Processes: pointer(2)},
		{
			Index: 1, Name: "NVIDIA A100", UUID: "GPU-2", Memory: &Memory{80 << 30, 0}, MIG: true,
			Instances: []Instance{{Name: "NVIDIA A100 MIG 1g.10gb", UUID: "MIG-1", Memory: &Memory{10 << 30, 0}}},
		},
		{
			Index: 2, Name: "NVIDIA T4", UUID: "GPU-3", Memory: &Memory{16 << 30, 0},
			Problems: []string{"utilisation: GPU is lost", "processes: GPU is lost"},
		},
		{Index: 3, Problems: []string{"no permission"}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if l.opened != 0 {
		t.Errorf("the library was opened %d times more than closed", l.opened)
	}
}

func TestRead_SaysWhyThereIsNothing(t *testing.T) {
	l := &fakeLibrary{failure: &Unavailable{ReasonNoDriver, "no NVIDIA driver"}}
	_, err := newReader(l).Read(t.Context())
	var why *Unavailable
	if !errors.As(err, &why) || why.Reason != ReasonNoDriver {
		t.Errorf("got %v", err)
	}
}

// A driver that hangs does not block this query or the next one. Once it responds, it is queried again.
func TestRead_EndsWhenTheDriverHangs(t *testing.T) {
	l := &fakeLibrary{hold: make(chan struct{})}
	r := newReader(l)
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		_, err := r.Read(ctx)
		cancel()
		var why *Unavailable
		if !errors.As(err, &why) || why.Reason != ReasonNoAnswer {
			t.Errorf("got %v", err)
		}
	}
	close(l.hold)
	if _, err := r.Read(t.Context()); err != nil {
		t.Error(err)
	}
}

// The test queries the machine's own driver, or checks the reason for its absence. The query must not crash the
// process.
func TestNew_AsksThisMachine(t *testing.T) {
	got, err := New().Read(t.Context())
	var why *Unavailable
	switch {
	case errors.As(err, &why):
		t.Logf("%s: %v", why.Reason, why)
		if why.Reason == "" || why.Detail == "" {
			t.Errorf("no reason: %#v", why)
		}
	case err != nil:
		t.Error(err)
	default:
		t.Logf("%+v", got)
		for _, g := range got.GPUs {
			if len(g.Problems) == 0 && (g.Name == "" || g.UUID == "") {
				t.Errorf("GPU %d has no name or no UUID, and no problem explains it: %+v", g.Index, g)
			}
		}
	}
}
