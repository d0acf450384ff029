package tensorboard

import (
	"maps"
	"slices"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// The fields of the messages of TensorBoard's plugin for hyper-parameters: tensorboard/plugins/hparams/api.proto and
// plugin_data.proto, and google.protobuf.Value.
const (
	dataExperiment   = 2
	dataSessionStart = 3
	dataSessionEnd   = 4

	experimentName    = 6
	experimentHParams = 4
	experimentMetrics = 5
	infoName          = 1
	infoType          = 4
	metricName        = 1
	metricTag         = 2

	startHParams = 1
	startGroup   = 4
	startSeconds = 5
	endStatus    = 1
	endSeconds   = 2

	mapKey   = 1
	mapValue = 2

	valueNumber = 2
	valueString = 3
	valueBool   = 4

	kindString = 1
	kindBool   = 2
	kindNumber = 3
)

// These tags identify the plugin's messages.
const (
	tagExperiment   = "_hparams_/experiment"
	tagSessionStart = "_hparams_/session_start_info"
	tagSessionEnd   = "_hparams_/session_end_info"
)

// HParams holds a run's hyperparameters. A value is a string, a bool, an int or a float64. Other types are omitted.
type HParams struct {
	Name    string // name of the run
	Values  map[string]any
	Metrics []string // tags of the scalars used to compare runs
	Began   time.Time
}

// Status is a session's outcome.
type Status int

// The outcomes of a session, with the numbers of the plugin.
const (
	StatusSuccess Status = 1
	StatusFailure Status = 2
)

func hparamsEvent(at time.Time, h HParams) []byte {
	experiment := appendText(nil, experimentName, h.Name)
	start := appendDouble(appendText(nil, startGroup, h.Name), startSeconds, seconds(h.Began))
	for _, name := range slices.Sorted(maps.Keys(h.Values)) {
		kind, value := hparam(h.Values[name])
		if value == nil {
			continue
		}
		info := appendVarint(appendText(nil, infoName, name), infoType, kind)
		experiment = appendBytes(experiment, experimentHParams, info)
		start = appendBytes(start, startHParams, appendBytes(appendText(nil, mapKey, name), mapValue, value))
	}
	for _, tag := range h.Metrics {
		shown := appendBytes(nil, metricName, appendText(nil, metricTag, tag))
		experiment = appendBytes(experiment, experimentMetrics, shown)
	}
	summary := appendBytes(nil, summaryValue, hparamsValue(tagExperiment, dataExperiment, experiment))
	summary = appendBytes(summary, summaryValue, hparamsValue(tagSessionStart, dataSessionStart, start))
	return appendBytes(head(at, 0), eventSummary, summary)
}

func finishEvent(at time.Time, s Status) []byte {
	end := appendDouble(appendVarint(nil, endStatus, uint64(s)), endSeconds, seconds(at))
	summary := appendBytes(nil, summaryValue, hparamsValue(tagSessionEnd, dataSessionEnd, end))
	return appendBytes(head(at, 0), eventSummary, summary)
}

// hparam returns a google.protobuf.Value and its kind, or nil for an unsupported type.
func hparam(v any) (kind uint64, value []byte) {
	switch v := v.(type) {
	case string:
		return kindString, appendText(nil, valueString, v)
	case bool:
		return kindBool, appendVarint(nil, valueBool, protowire.EncodeBool(v))
	case int:
		return kindNumber, appendDouble(nil, valueNumber, float64(v))
	case float64:
		if isFinite(v) {
			return kindNumber, appendDouble(nil, valueNumber, v)
		}
	}
	return 0, nil
}

// hparamsValue returns one of the plugin's messages. The metadata contains all data, and the value is an empty tensor.
func hparamsValue(tag string, field protowire.Number, message []byte) []byte {
	tensor := appendBytes(appendVarint(nil, tensorType, typeFloat), tensorShape, nil)
	value := appendBytes(appendText(nil, valueTag, tag), valueTensor, tensor)
	return appendBytes(value, valueMetadata, metadata("hparams", appendBytes(nil, field, message)))
}
