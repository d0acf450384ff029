package tinylm

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
)

// A safetensors file consists of an eight-byte little-endian header length, a JSON object {name: {dtype, shape,
// data_offsets}} with an optional "__metadata__" object of strings, and the tensors' bytes, little-endian and without
// gaps (https://huggingface.co/docs/safetensors).

const metadataKey = "__metadata__"

// maxHeader is the header size limit of the format.
const maxHeader = 100 << 20

// tensorHeader describes one tensor; offsets are relative to the end of the header.
type tensorHeader struct {
	DType   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

// encodeSafetensors encodes a flat vector as a file. The keys of the JSON object are sorted, so that equal input
// produces equal bytes.
func encodeSafetensors(l *layout, values []float32, metadata map[string]string) ([]byte, error) {
	header := map[string]any{metadataKey: metadata}
	for _, t := range l.tensors {
		header[t.name] = tensorHeader{DType: "F32", Shape: t.shape(),
			Offsets: [2]int{4 * t.offset, 4 * (t.offset + t.size())}}
	}
	text, err := json.Marshal(header)
	if err != nil {
		return nil, fmt.Errorf("encode safetensors header: %w", err)
	}
	for len(text)%8 != 0 {
		text = append(text, ' ')
	}
	file := binary.LittleEndian.AppendUint64(make([]byte, 0, 8+len(text)+4*len(values)), uint64(len(text)))
	return appendFloats(append(file, text...), values), nil
}

func appendFloats(to []byte, values []float32) []byte {
	for _, v := range values {
		to = binary.LittleEndian.AppendUint32(to, math.Float32bits(v))
	}
	return to
}

// readSafetensors reads into values a file that must contain exactly the layout's tensors, as float32. Errors name the
// file and the tensor.
func readSafetensors(path string, l *layout, values []float32) (metadata map[string]string, err error) {
	metadata, err = decodeSafetensorsFile(path, l, values)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return metadata, nil
}

func decodeSafetensorsFile(path string, l *layout, values []float32) (map[string]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if limit := int64(8 + maxHeader + 4*l.size); info.Size() > limit {
		return nil, fmt.Errorf("it has %d bytes, but this model's tensors require %d", info.Size(), 4*l.size)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return decodeSafetensors(file, l, values)
}

func decodeSafetensors(file []byte, l *layout, values []float32) (map[string]string, error) {
	headers, metadata, data, err := splitSafetensors(file)
	if err != nil {
		return nil, err
	}
	var ranges [][2]int
	for _, t := range l.tensors {
		h, ok := headers[t.name]
		if !ok {
			return nil, fmt.Errorf("tensor %s is missing", t.name)
		}
		delete(headers, t.name)
		if err := h.check(t, len(data)); err != nil {
			return nil, fmt.Errorf("tensor %s: %w", t.name, err)
		}
		if err := decodeFloats(values[t.offset:t.offset+t.size()], data[h.Offsets[0]:h.Offsets[1]]); err != nil {
			return nil, fmt.Errorf("tensor %s: %w", t.name, err)
		}
		ranges = append(ranges, h.Offsets)
	}
	for name := range headers {
		return nil, fmt.Errorf("tensor %s does not belong to this model", name)
	}
	return metadata, checkGapless(ranges, len(data))
}

// checkGapless checks that no tensors overlap and that no bytes are left over.
func checkGapless(ranges [][2]int, bytes int) error {
	slices.SortFunc(ranges, func(a, b [2]int) int { return a[0] - b[0] })
	end := 0
	for _, r := range ranges {
		if r[0] != end {
			return fmt.Errorf("a tensor starts at byte %d, but the previous one ends at %d", r[0], end)
		}
		end = r[1]
	}
	if end != bytes {
		return fmt.Errorf("it contains %d bytes of data, but its tensors take up %d", bytes, end)
	}
	return nil
}

// splitSafetensors splits the file and validates every length in it.
func splitSafetensors(file []byte) (map[string]tensorHeader, map[string]string, []byte, error) {
	if len(file) < 8 {
		return nil, nil, nil, fmt.Errorf("it is truncated: %d bytes is too short for a safetensors file", len(file))
	}
	length := binary.LittleEndian.Uint64(file)
	if length > maxHeader || length > uint64(len(file)-8) {
		return nil, nil, nil, fmt.Errorf("the file is truncated or not a safetensors file: the header claims %d "+
			"bytes of %d", length, len(file)-8)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(file[8:8+length], &raw); err != nil {
		return nil, nil, nil, fmt.Errorf("its header is not JSON: %w", err)
	}
	var metadata map[string]string
	if text, ok := raw[metadataKey]; ok {
		delete(raw, metadataKey)
		if err := json.Unmarshal(text, &metadata); err != nil {
			return nil, nil, nil, fmt.Errorf("its metadata is not an object of strings: %w", err)
		}
	}
	headers := map[string]tensorHeader{}
	for name, text := range raw {
		var h tensorHeader
		if err := json.Unmarshal(text, &h); err != nil {
			return nil, nil, nil, fmt.Errorf("tensor %s has an invalid description: %w", name, err)
		}
		headers[name] = h
	}
	return headers, metadata, file[8+length:], nil
}

func (h tensorHeader) check(t tensor, bytes int) error {
	if h.DType != "F32" {
		return fmt.Errorf("its type is %s, but only F32 is supported", h.DType)
	}
	if !slices.Equal(h.Shape, t.shape()) {
		return fmt.Errorf("its shape is %v, but the model in config.json requires %v", h.Shape, t.shape())
	}
	if h.Offsets[0] < 0 || h.Offsets[1]-h.Offsets[0] != 4*t.size() {
		return fmt.Errorf("its bytes %d to %d do not fit its shape %v", h.Offsets[0], h.Offsets[1], h.Shape)
	}
	if h.Offsets[1] > bytes {
		return fmt.Errorf("it is truncated: its data ends at byte %d, but the file has %d", h.Offsets[1], bytes)
	}
	return nil
}

func decodeFloats(dst []float32, data []byte) error {
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		if v := float64(dst[i]); math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("element %d is %v", i, v)
		}
	}
	return nil
}
