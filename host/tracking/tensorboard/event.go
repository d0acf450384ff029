package tensorboard

import (
	"maps"
	"math"
	"slices"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// The used fields of TensorBoard's messages: tensorboard/compat/proto/event.proto, summary.proto and tensor.proto.
const (
	eventWallTime    = 1
	eventStep        = 2
	eventFileVersion = 3
	eventSummary     = 5
	eventSessionLog  = 7

	sessionStatus  = 1
	sessionStarted = 1

	summaryValue = 1

	valueTag      = 1
	valueSimple   = 2
	valueHisto    = 5
	valueTensor   = 8
	valueMetadata = 9

	metadataPlugin = 1
	pluginName     = 1
	pluginContent  = 2

	tensorType   = 1
	tensorShape  = 2
	tensorString = 8
	typeFloat    = 1
	typeString   = 7
)

// formatVersion is the content of a file's first record.
const formatVersion = "brain.Event:2"

func appendDouble(b []byte, field protowire.Number, v float64) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(b, field, protowire.Fixed64Type), math.Float64bits(v))
}

func appendVarint(b []byte, field protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), v)
}

func appendBytes(b []byte, field protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), v)
}

func appendText(b []byte, field protowire.Number, v string) []byte {
	return appendBytes(b, field, []byte(v))
}

// seconds returns a time in TensorBoard's format.
func seconds(at time.Time) float64 { return float64(at.UnixMicro()) / 1e6 }

func head(at time.Time, step int) []byte {
	return appendVarint(appendDouble(nil, eventWallTime, seconds(at)), eventStep, uint64(max(step, 0)))
}

func fileVersion(at time.Time) []byte {
	return appendText(appendDouble(nil, eventWallTime, seconds(at)), eventFileVersion, formatVersion)
}

func sessionStart(at time.Time, step int) []byte {
	return appendBytes(head(at, step), eventSessionLog, appendVarint(nil, sessionStatus, sessionStarted))
}

// pointEvent returns a point as an Event, or nil if it is empty.
func pointEvent(p Point) []byte {
	var summary []byte
	add := func(value []byte) { summary = appendBytes(summary, summaryValue, value) }
	for _, tag := range slices.Sorted(maps.Keys(p.Scalars)) {
		if v := float32(p.Scalars[tag]); isFinite(float64(v)) {
			value := protowire.AppendTag(appendText(nil, valueTag, tag), valueSimple, protowire.Fixed32Type)
			add(protowire.AppendFixed32(value, math.Float32bits(v)))
		}
	}
	for _, tag := range slices.Sorted(maps.Keys(p.Histograms)) {
		if h := histogramOf(p.Histograms[tag]); h != nil {
			add(appendBytes(appendText(nil, valueTag, tag), valueHisto, h.encode()))
		}
	}
	for _, tag := range slices.Sorted(maps.Keys(p.Texts)) {
		add(textValue(tag, p.Texts[tag]))
	}
	if summary == nil {
		return nil
	}
	return appendBytes(head(p.At, p.Step), eventSummary, summary)
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// textValue returns a string in the format of TensorBoard's text plugin: a tensor with one string.
func textValue(tag, text string) []byte {
	tensor := appendVarint(nil, tensorType, typeString)
	tensor = appendBytes(tensor, tensorShape, nil) // a scalar
	tensor = appendText(tensor, tensorString, text)
	value := appendBytes(appendText(nil, valueTag, tag), valueTensor, tensor)
	return appendBytes(value, valueMetadata, metadata("text", nil))
}

// metadata returns the metadata that selects the TensorBoard plugin for a value.
func metadata(plugin string, content []byte) []byte {
	data := appendText(nil, pluginName, plugin)
	if content != nil {
		data = appendBytes(data, pluginContent, content)
	}
	return appendBytes(nil, metadataPlugin, data)
}
