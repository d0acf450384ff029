package relay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"

	"github.com/awhost/awhost/sdk"
)

// driver is the process with verl's code.
type driver struct {
	cmd     *exec.Cmd
	orders  io.WriteCloser
	answers *bufio.Scanner
}

// order is a command for the driver.
type order struct {
	Loop        string `json:"loop"`
	Name        string `json:"name"` // prefix of the ids of groups
	Step        int    `json:"step"`
	Episodes    int    `json:"episodes"`
	GroupSize   int    `json:"group_size"`
	Concurrency int    `json:"concurrency"`
	Profile     bool   `json:"profile"`
}

// figure is the cost and the result of one order.
type figure struct {
	CPU    float64  `json:"cpu"`  // seconds, of all its threads
	Wall   float64  `json:"wall"` // seconds
	Frames int      `json:"frames"`
	Tokens int      `json:"tokens"` // of an episode
	Rows   []string `json:"rows"`   // distinct digests of the rows to be trained
}

// figures holds all measurements in one step.
type figures struct {
	Concurrency            int
	Generate, Verl, Awhost figure
	episodes               []sdk.ConsumedEpisode
}

func startDriver(ctx context.Context, c config, endpointFile string) (*driver, error) {
	cmd := exec.CommandContext(ctx, c.Command[0], append(slices.Clone(c.Command[1:]), endpointFile)...)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+c.PythonPath, "PYTHONDONTWRITEBYTECODE=1", "OMP_NUM_THREADS=1",
		"TOKENIZERS_PARALLELISM=false")
	cmd.Stderr = os.Stderr
	orders, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the driver: %w", err)
	}
	d := &driver{cmd: cmd, orders: orders, answers: bufio.NewScanner(stdout)}
	if _, err := d.answer(); err != nil {
		return nil, errors.Join(fmt.Errorf("start the driver: %w", err), d.stop())
	}
	return d, nil
}

// measure runs the same episodes with each loop.
func (d *driver) measure(o order) (figures, error) {
	out := figures{Concurrency: o.Concurrency}
	for _, each := range []struct {
		loop string
		to   *figure
	}{{"generate", &out.Generate}, {"verl", &out.Verl}, {"awhost", &out.Awhost}} {
		o.Loop = each.loop
		text, err := json.Marshal(o)
		if err != nil {
			return out, err
		}
		if _, err := d.orders.Write(append(text, '\n')); err != nil {
			return out, fmt.Errorf("tell the driver: %w", err)
		}
		if *each.to, err = d.answer(); err != nil {
			return out, fmt.Errorf("loop %s: %w", o.Loop, err)
		}
	}
	for i := range o.Episodes {
		id := fmt.Sprintf("%s-%d/%d", o.Name, i/o.GroupSize, i%o.GroupSize)
		out.episodes = append(out.episodes, sdk.ConsumedEpisode{EpisodeID: id, Use: sdk.ConsumedTrained})
	}
	return out, out.check()
}

// check compares the loops' results: both must have done the same work.
func (f figures) check() error {
	if len(f.Verl.Rows) != 1 || !slices.Equal(f.Verl.Rows, f.Awhost.Rows) {
		return fmt.Errorf("the loops produced different rows from the same conversation: verl has %d tokens %v, but "+
			"awhost has %d tokens %v",
			f.Verl.Tokens, f.Verl.Rows, f.Awhost.Tokens, f.Awhost.Rows)
	}
	return nil
}

func (d *driver) answer() (out figure, err error) {
	if !d.answers.Scan() {
		return out, errors.Join(errors.New("the driver has exited; see the plugin's log"), d.answers.Err())
	}
	if err := json.Unmarshal(d.answers.Bytes(), &out); err != nil {
		return out, fmt.Errorf("the driver sent %q: %w", d.answers.Bytes(), err)
	}
	return out, nil
}

// stop ends the driver.
func (d *driver) stop() error {
	if err := errors.Join(d.orders.Close(), d.cmd.Wait()); err != nil {
		return fmt.Errorf("end the driver: %w", err)
	}
	return nil
}
