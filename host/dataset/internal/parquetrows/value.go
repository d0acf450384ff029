package parquetrows

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

type convert = func(parquet.Value) (value any, problem string)

const isBinary = "contains bytes, which JSON cannot represent"

// converter returns the function that converts a leaf's values to JSON, or the reason why they cannot be converted.
func converter(e *format.SchemaElement) (c convert, reason string) {
	switch meaning := meaningOf(e).(type) {
	case *format.NullType:
		return func(parquet.Value) (any, string) { return nil, "" }, ""
	case *format.DecimalType:
		return decimalConverter(e.Type.V, int(meaning.Scale))
	case *format.DateType:
		return dateValue, ""
	case *format.TimeType:
		return func(v parquet.Value) (any, string) {
			return timeOf(v, meaning.Unit).Format("15:04:05.999999999"), ""
		}, ""
	case *format.TimestampType:
		layout := timestampLayout
		if meaning.IsAdjustedToUTC {
			layout += "Z"
		}
		return func(v parquet.Value) (any, string) { return timeOf(v, meaning.Unit).Format(layout), "" }, ""
	case *format.IntType:
		if !meaning.IsSigned {
			return unsignedConverter(e.Type.V), ""
		}
	case *format.StringType, *format.EnumType, *format.JsonType:
		return textValue, ""
	case *format.UUIDType:
		return uuidValue, ""
	case *format.Float16Type:
		return float16Value, ""
	}
	return plainConverter(e.Type.V)
}

const timestampLayout = "2006-01-02T15:04:05.999999999"

// meaningOf returns the logical type, which may be derived from an older writer's converted type.
func meaningOf(e *format.SchemaElement) any {
	if e.LogicalType.Value != nil || !e.ConvertedType.Valid {
		return e.LogicalType.Value
	}
	millis, micros := format.TimeUnit{Value: &format.MilliSeconds{}}, format.TimeUnit{Value: &format.MicroSeconds{}}
	switch e.ConvertedType.V {
	case deprecated.UTF8, deprecated.Enum, deprecated.Json:
		return &format.StringType{}
	case deprecated.Decimal:
		return &format.DecimalType{Scale: e.Scale.V, Precision: e.Precision.V}
	case deprecated.Date:
		return &format.DateType{}
	case deprecated.TimeMillis:
		return &format.TimeType{Unit: millis}
	case deprecated.TimeMicros:
		return &format.TimeType{Unit: micros}
	case deprecated.TimestampMillis:
		return &format.TimestampType{IsAdjustedToUTC: true, Unit: millis}
	case deprecated.TimestampMicros:
		return &format.TimestampType{IsAdjustedToUTC: true, Unit: micros}
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		return &format.IntType{}
	}
	return nil
}

func plainConverter(physical format.Type) (c convert, reason string) {
	switch physical {
	case format.Boolean:
		return func(v parquet.Value) (any, string) { return v.Boolean(), "" }, ""
	case format.Int32:
		return func(v parquet.Value) (any, string) { return number(int64(v.Int32())), "" }, ""
	case format.Int64:
		return func(v parquet.Value) (any, string) { return number(v.Int64()), "" }, ""
	case format.Int96:
		return int96Value, ""
	case format.Float:
		return func(v parquet.Value) (any, string) { return float(float64(v.Float()), v.Float()) }, ""
	case format.Double:
		return func(v parquet.Value) (any, string) { return float(v.Double(), v.Double()) }, ""
	}
	return nil, isBinary
}

func unsignedConverter(physical format.Type) convert {
	if physical == format.Int32 {
		return func(v parquet.Value) (any, string) { return number(int64(v.Uint32())), "" }
	}
	return func(v parquet.Value) (any, string) { return json.Number(strconv.FormatUint(v.Uint64(), 10)), "" }
}

func number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

// float formats a number with the fewest digits that distinguish it from its neighbors of the same width.
func float(f float64, narrow any) (any, string) {
	switch {
	case math.IsNaN(f):
		return nil, ""
	case math.IsInf(f, 0):
		return nil, "is infinite, which JSON cannot represent"
	}
	text, err := json.Marshal(narrow)
	if err != nil {
		return nil, err.Error()
	}
	return json.Number(text), ""
}

// float16Value decodes the two bytes of a half-precision number in little-endian order.
func float16Value(v parquet.Value) (any, string) {
	if len(v.ByteArray()) != 2 {
		return nil, "is not a half precision number"
	}
	bits := binary.LittleEndian.Uint16(v.ByteArray())
	sign, exponent, fraction := 1.0, int(bits>>10&0x1f), float64(bits&0x3ff)
	if bits&0x8000 != 0 {
		sign = -1
	}
	f := sign * math.Ldexp(1+fraction/1024, exponent-15)
	switch {
	case exponent == 0x1f && fraction != 0:
		f = math.NaN()
	case exponent == 0x1f:
		f = math.Inf(int(sign))
	case exponent == 0:
		f = sign * math.Ldexp(fraction/1024, -14)
	}
	return float(f, float32(f))
}

func textValue(v parquet.Value) (any, string) {
	if !utf8.Valid(v.ByteArray()) {
		return nil, "is not UTF-8: write the column as text"
	}
	return string(v.ByteArray()), ""
}

func uuidValue(v parquet.Value) (any, string) {
	b := v.ByteArray()
	if len(b) != 16 {
		return nil, "is not a UUID"
	}
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]), ""
}

func dateValue(v parquet.Value) (any, string) {
	return time.Unix(int64(v.Int32())*24*60*60, 0).UTC().Format(time.DateOnly), ""
}

// timeOf returns a timestamp, or a time of day on 1970-01-01.
func timeOf(v parquet.Value, unit format.TimeUnit) time.Time {
	n := v.Int64()
	if v.Kind() == parquet.Int32 {
		n = int64(v.Int32())
	}
	switch unit.Value.(type) {
	case *format.MilliSeconds:
		return time.UnixMilli(n).UTC()
	case *format.MicroSeconds:
		return time.UnixMicro(n).UTC()
	}
	return time.Unix(0, n).UTC()
}

// int96Value reads timestamps from old versions of Spark and Impala: the nanoseconds within a day, and the Julian day.
func int96Value(v parquet.Value) (any, string) {
	const julianEpoch = 2440588
	parts := v.Int96()
	nanos := int64(parts[1])<<32 | int64(parts[0])
	days := int64(int32(parts[2])) - julianEpoch
	return time.Unix(days*24*60*60, nanos).UTC().Format(timestampLayout), ""
}

func decimalConverter(physical format.Type, scale int) (c convert, reason string) {
	const maxScale = 1000
	if scale < 0 || scale > maxScale {
		return nil, "is a decimal with an invalid scale"
	}
	switch physical {
	case format.Int32:
		return func(v parquet.Value) (any, string) { return decimal(big.NewInt(int64(v.Int32())), scale), "" }, ""
	case format.Int64:
		return func(v parquet.Value) (any, string) { return decimal(big.NewInt(v.Int64()), scale), "" }, ""
	case format.ByteArray, format.FixedLenByteArray:
		return func(v parquet.Value) (any, string) { return decimal(signed(v.ByteArray()), scale), "" }, ""
	}
	return nil, "is a decimal with an invalid physical type"
}

// signed decodes a big-endian number in two's complement.
func signed(b []byte) *big.Int {
	n := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(len(b))*8))
	}
	return n
}

// decimal keeps all digits: 1250 with scale 2 is 12.50.
func decimal(unscaled *big.Int, scale int) json.Number {
	digits := new(big.Int).Abs(unscaled).String()
	if missing := scale + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	if scale > 0 {
		digits = digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	}
	if unscaled.Sign() < 0 {
		digits = "-" + digits
	}
	return json.Number(digits)
}
