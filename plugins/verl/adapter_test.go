package verl

import (
	"errors"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework/launch"
)

func TestFind_EndsWhatAJobThatIsGoneHasLeft(t *testing.T) {
	l := (&scriptedLauncher{}).then(launch.Status{State: launch.Ended}, nil)
	a := &adapter{config: config{Placement: launch.Placement{UnreachableTimeout: "1s", StopTimeout: "1s"}}}
	r := &record{Steps: 3, Request: sdk.TrainRequest{LaunchID: "run.i1"}, Job: &launch.Handle{Kind: launch.KindProcess, Launch: "run.i1"}}
	if err := a.find(t.Context(), l, r, folder(t.TempDir())); !errors.Is(err, sdk.ErrNoTrainer) || l.stops != 1 {
		t.Errorf("%d ends were asked for, and find says %v", l.stops, err)
	}
}
