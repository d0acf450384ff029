// Package program starts and ends the programs in bench, and restarts them in other roles.
//
//	func main() { program.Main(run) }
//
//	url, stop, err := program.Serve(ctx, "-role", "server") // prints its URL and keeps running
package program

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
)

// Main runs a program with its arguments until the program ends or is interrupted. A request for help is not an error.
func Main(run func(ctx context.Context, args []string) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(1)
	}
}

// Self returns a command that starts this program with other arguments.
func Self(ctx context.Context, args ...string) (*exec.Cmd, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stderr = os.Stderr
	return cmd, nil
}

// Serve starts this program again as a server that prints its URL. stop kills it.
func Serve(ctx context.Context, args ...string) (url string, stop func(), err error) {
	cmd, err := Self(ctx, args...)
	if err != nil {
		return "", nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("%s did not print its address: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(line), stop, nil
}
