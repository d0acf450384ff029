// Command termsvg draws a terminal screen as SVG, for the pictures in the documentation:
//
//	tmux capture-pane -e -p -t session | go run ./docs/internal/termsvg -columns 100 >docs/screen.svg
//
// It reads text with a terminal's color sequences (ECMA-48 "select graphic rendition") and does not support cursor
// movement, which tmux has already resolved.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	columns := flag.Int("columns", 80, "width of the screen in `characters`")
	title := flag.String("title", "awhost", "`text` for people who cannot see the picture")
	flag.Parse()
	if err := convert(os.Stdin, os.Stdout, *columns, *title); err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(1)
	}
}

func convert(in io.Reader, out io.Writer, columns int, title string) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("read the screen: %w", err)
	}
	w := bufio.NewWriter(out)
	draw(w, parse(string(text)), columns, title)
	return w.Flush()
}
