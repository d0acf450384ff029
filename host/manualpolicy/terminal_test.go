package manualpolicy_test

import (
	"errors"
	"io"
	"os"
	"testing"

	"github.com/awhost/awhost/host/manualpolicy"
)

func TestTerminal_IsReadUntilItIsInterrupted(t *testing.T) {
	in, typed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer typed.Close()
	keys, interrupt := manualpolicy.Keys(in)
	if _, err := io.WriteString(typed, "n\n"); err != nil {
		t.Fatal(err)
	}
	into := make([]byte, 8)
	if n, err := keys.Read(into); err != nil || string(into[:n]) != "n\n" {
		t.Fatalf("read %q, %v", into[:n], err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := keys.Read(into)
		ended <- err
	}()
	interrupt()
	if err := <-ended; !errors.Is(err, io.EOF) {
		t.Errorf("a read that is interrupted ends with %v, want io.EOF", err)
	}
}
