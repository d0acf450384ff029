package areal

import (
	"testing"

	"github.com/awhost/awhost/internal/realtest"
)

// The Python code that trains is tested in the Python that it trains in.
func TestShim(t *testing.T) { realtest.Shim(t, "AWHOST_AREAL_PYTHON") }
