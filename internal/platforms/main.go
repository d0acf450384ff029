// Command platforms checks that everything, including tests, compiles on other systems. It only checks types, which
// takes a tenth of a build's time and finds the differences between systems.
//
//	go run ./internal/platforms darwin/arm64 linux/arm64
//
// It prints each error and exits with 1 if it finds one. It neither links nor compiles C code.
package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	failed := false
	for _, platform := range os.Args[1:] {
		problems, err := check(".", platform)
		if err != nil {
			problems = append(problems, err.Error())
		}
		for _, problem := range problems {
			fmt.Fprintf(os.Stderr, "%s: %s\n", platform, problem)
			failed = true
		}
	}
	if failed || len(os.Args) < 2 {
		os.Exit(1)
	}
}

// check returns the errors in all packages below dir, as FILE:LINE:COLUMN: MESSAGE.
func check(dir, platform string) (problems []string, _ error) {
	system, processor, ok := strings.Cut(platform, "/")
	if !ok {
		return nil, fmt.Errorf("invalid platform %q: write linux/arm64", platform)
	}
	loaded, err := packages.Load(&packages.Config{
		Dir: dir, Tests: true,
		Env: append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0"),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesSizes |
			packages.NeedImports | packages.NeedDeps,
	}, "./...")
	if err != nil {
		return nil, err
	}
	packages.Visit(loaded, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			problems = append(problems, e.Error())
		}
	})
	return problems, nil
}
