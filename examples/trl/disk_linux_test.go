package trl_test

import "testing"

func TestTRL_AFullDiskCostsNoSample(t *testing.T) { trl.SurvivesAFullDisk(t) }
