package testlevel

import "os"

// runner is a testing.M.
type runner interface{ Run() int }

// InMemory returns the tests of a package, for TestMain, with their temporary folders in memory where the system has room for
// them: what a disk does for thousands of files that live for a second costs a third of the tests' time. With AWHOST_SLOW,
// or where TMPDIR names a folder, they stay there.
func InMemory(m runner) runner {
	if Slow() || os.Getenv("TMPDIR") != "" || !memoryFits() {
		return m
	}
	dir, err := os.MkdirTemp(memory, "aw") // short, because paths of unix sockets are
	if err != nil {
		return m
	}
	for _, name := range []string{"TMPDIR", "GOTMPDIR"} {
		if err := os.Setenv(name, dir); err != nil {
			panic(err)
		}
	}
	return inMemory{m, dir}
}

// inMemory removes the folder when the tests are through.
type inMemory struct {
	runner
	dir string
}

func (m inMemory) Run() int {
	defer os.RemoveAll(m.dir)
	return m.runner.Run()
}
