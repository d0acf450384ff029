"""Writes the Parquet files of this directory. Run it with pyarrow 26: python make.py"""

import datetime as dt
import decimal
import math
import uuid

import pyarrow as pa
import pyarrow.parquet as pq

D = decimal.Decimal
when = dt.datetime(2024, 2, 29, 12, 34, 56, 789000)

types = pa.table({
    "bool": pa.array([True, None, False]),
    "int8": pa.array([-128, None, 127], pa.int8()),
    "uint32": pa.array([0, None, 4294967295], pa.uint32()),
    "int64": pa.array([-9223372036854775808, None, 9007199254740993], pa.int64()),
    "uint64": pa.array([0, None, 18446744073709551615], pa.uint64()),
    "float16": pa.array([0.5, None, -0.000061035156], pa.float16()),
    "float32": pa.array([0.1, None, 16777216], pa.float32()),
    "float64": pa.array([0.1, None, 1e300]),
    "nan": pa.array([math.nan, None, 1.0]),
    "text": pa.array(["ä😀\n", None, ""]),
    "large_text": pa.array(["a", None, "b"], pa.large_string()),
    "dictionary": pa.array(["x", None, "x"]).dictionary_encode(),
    "date": pa.array([dt.date(1969, 12, 31), None, dt.date(2024, 2, 29)]),
    "time": pa.array([dt.time(0, 0, 1, 500000), None, dt.time(23, 59, 59)], pa.time64("us")),
    "instant": pa.array([when, None, when], pa.timestamp("ms", "UTC")),
    "local": pa.array([when, None, dt.datetime(1900, 1, 1)], pa.timestamp("us")),
    "nanos": pa.array([1, None, 1709210096789000001], pa.timestamp("ns")),
    "decimal": pa.array([D("-0.05"), None, D("12345678901234567890.12")], pa.decimal128(38, 2)),
    "whole_decimal": pa.array([D("7"), None, D("-7")], pa.decimal128(5, 0)),
    "uuid": pa.array([uuid.UUID(int=1).bytes, None, uuid.UUID(int=2**128 - 1).bytes], pa.uuid()),
    "nothing": pa.array([None, None, None], pa.null()),
    "duration": pa.array([1, None, 2], pa.duration("s")),
})
pq.write_table(types, "types.parquet", row_group_size=2)
pq.write_table(types.select(["local"]), "int96.parquet", use_deprecated_int96_timestamps=True)
pq.write_table(types.select(["decimal", "whole_decimal"]), "small_decimals.parquet", store_decimal_as_integer=True)

message = pa.struct([("role", pa.string()), ("content", pa.string())])
nested = pa.table({
    "prompt": pa.array([[{"role": "user", "content": "a"}, {"role": "assistant", "content": None}], [], None, [None]], pa.list_(message)),
    "matrix": pa.array([[[1, 2], []], [None, [3]], None, [[None]]], pa.list_(pa.list_(pa.int64()))),
    "map": pa.array([[("a", 1), ("b", None)], [], None, [("c", 3)]], pa.map_(pa.string(), pa.int64())),
    "by_number": pa.array([[(1, ["x"])], [], None, [(-2, [])]], pa.map_(pa.int32(), pa.list_(pa.string()))),
    "info": pa.array([{"level": 1, "deep": {"x": [1]}}, {"level": None, "deep": None}, None, {"level": 4, "deep": {"x": None}}],
                     pa.struct([("level", pa.int64()), ("deep", pa.struct([("x", pa.list_(pa.int8()))]))])),
    "fixed": pa.array([[1, 2], None, [3, 4], [5, None]], pa.list_(pa.int64(), 2)),
})
pq.write_table(nested, "nested.parquet", row_group_size=3)
pq.write_table(nested, "nested_v2.parquet", data_page_version="2.0", write_page_index=True, use_compliant_nested_type=False, data_page_size=8)

# Many pages and groups: 300 rows, groups of 90, a page every few rows, values that repeat and values that do not.
many = pa.table({
    "id": pa.array(range(300)),
    "prompt": pa.array([f"question {i} " + "x" * (i % 97) for i in range(300)]),
    "same": pa.array(["one of a few", "another", None] * 100),
    "list": pa.array([[j for j in range(i % 5)] if i % 7 else None for i in range(300)], pa.list_(pa.int64())),
})
for codec in ["none", "snappy", "gzip", "zstd", "lz4", "brotli"]:
    pq.write_table(many, f"many_{codec}.parquet", compression=codec, row_group_size=90, data_page_size=512, write_batch_size=16)
pq.write_table(many, "many_plain.parquet", use_dictionary=False, row_group_size=300)
pq.write_table(many, "many_delta.parquet", use_dictionary=False, data_page_version="2.0", compression="zstd", data_page_size=512, write_batch_size=16,
               column_encoding={"id": "DELTA_BINARY_PACKED", "prompt": "DELTA_BYTE_ARRAY", "same": "DELTA_LENGTH_BYTE_ARRAY", "list.list.element": "BYTE_STREAM_SPLIT"})

binary = pa.table({
    "prompt": ["what is this?"],
    "image": pa.array([{"bytes": b"\x89PNG", "path": "a.png"}], pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
    "images": pa.array([[{"bytes": b"\x89PNG", "path": "a.png"}]], pa.list_(pa.struct([("bytes", pa.binary()), ("path", pa.string())]))),
    "hash": pa.array([b"0123"], pa.binary(4)),
})
pq.write_table(binary, "binary.parquet")
pq.write_table(pa.table({"prompt": ["a", "b"], "x": [1.0, math.inf]}), "infinite.parquet")
pq.write_table(pa.table({"prompt": pa.array([], pa.string())}), "no_rows.parquet")
