package a

import "testing"

func TestTested(t *testing.T) { Tested() }
