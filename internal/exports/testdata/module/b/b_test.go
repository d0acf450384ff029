package b

import (
	"testing"

	"example.org/module/a"
)

func TestForTests(t *testing.T) { a.ForTests() }
