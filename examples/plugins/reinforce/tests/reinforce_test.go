package reinforce_test

import (
	"testing"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/internal/realtest/stranger"
)

// These tests train on a CPU. AWHOST_REINFORCE_PYTHON names a Python with torch, transformers, and accelerate.
var reinforce = stranger.Adapter{Name: "reinforce", Title: "reinforce"}

func TestReinforce_TwoSteps(t *testing.T) { reinforce.TwoSteps(t) }
func TestReinforce_Conforms(t *testing.T) { reinforce.Conforms(t) }

func TestReinforce_APolicyLearns(t *testing.T) { reinforce.Learns(t, 16, 15, realtest.Learned) }

func TestReinforce_SurvivesTheDeathsOfTrainerPluginAndHost(t *testing.T) {
	realtest.Slow(t)
	reinforce.SurvivesDeaths(t, reinforce.Start, 8)
}

func TestReinforce_StopsWithACheckpointAndGoesOnFromIt(t *testing.T) {
	realtest.Slow(t)
	reinforce.StopsAndGoesOn(t, reinforce.Start, 6)
}
