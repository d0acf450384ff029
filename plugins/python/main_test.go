package pythonplugin

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/awhost/awhost/internal/testlevel"
)

func TestMain(m *testing.M) {
	testlevel.Parallel(6) // they wait for interpreters
	goleak.VerifyTestMain(m)
}
