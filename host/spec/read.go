package spec

import (
	"fmt"
	"io"
	"os"
)

// maxFileBytes is the maximum size of a spec, a variable file or a .env file. Files written by hand are far smaller,
// and a device or data file that is named by mistake must not fill the memory.
const maxFileBytes = 16 << 20

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxFileBytes {
		return nil, fmt.Errorf("%s is larger than %d MiB, the limit for spec files", path, maxFileBytes>>20)
	}
	return text, nil
}
