package play

// ParseMessage is for the fuzzer.
var ParseMessage = parseMessage
