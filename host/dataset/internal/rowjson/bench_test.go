package rowjson_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/dataset/internal/rowjson"
)

var benchmarked = map[string]string{
	"short": `{"id":"row-1","prompt":"What is 1 plus 2?","ground_truth":"3","source":{"name":"made","level":3}}`,
	"chat": `{"messages":[{"role":"user","content":"` + strings.Repeat(`A \"long\" text with\nlines and ümlauts. `, 100) +
		`"}],"level":1.50}`,
}

// BenchmarkParse measures Parse and, as the baseline, encoding/json.
func BenchmarkParse(b *testing.B) {
	for name, text := range benchmarked {
		row := []byte(text)
		b.Run(name+"/rowjson", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = rowjson.Parse(row)
			}
		})
		b.Run(name+"/encoding", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				decoder := json.NewDecoder(bytes.NewReader(row))
				decoder.UseNumber()
				var value any
				_ = decoder.Decode(&value)
			}
		})
	}
}

// BenchmarkAppend measures Append and, as the baseline, encoding/json.
func BenchmarkAppend(b *testing.B) {
	for name, text := range benchmarked {
		value, err := rowjson.Parse([]byte(text))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name+"/rowjson", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				rowjson.Append(make([]byte, 0, 256), value)
			}
		})
		b.Run(name+"/encoding", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var out bytes.Buffer
				encoder := json.NewEncoder(&out)
				encoder.SetEscapeHTML(false)
				_ = encoder.Encode(value)
			}
		})
	}
}
