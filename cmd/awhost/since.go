package main

import (
	"fmt"
	"strconv"
	"time"
)

// parseAge parses a duration, also in days. Without a value, it returns 0.
func parseAge(value string) (time.Duration, error) {
	if value == "" {
		return 0, nil
	}
	age, err := time.ParseDuration(value)
	if n := len(value) - 1; err != nil && n > 0 && value[n] == 'd' {
		var days int
		days, err = strconv.Atoi(value[:n])
		if age = time.Duration(days) * 24 * time.Hour; age.Hours() != 24*float64(days) { // an overflow
			age = 0
		}
	}
	if err != nil || age <= 0 {
		return 0, fmt.Errorf("invalid age %q: write 30d, 12h, or 10m", value)
	}
	return age, nil
}

// parseSince parses an age, a date, or a time. Without a value, it returns the zero time.
func parseSince(value string) (time.Time, error) {
	age, err := parseAge(value)
	if age == 0 && err == nil {
		return time.Time{}, nil
	}
	if err == nil {
		return time.Now().Add(-age), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04", time.DateOnly} {
		if at, err := time.ParseInLocation(layout, value, time.Local); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("invalid time %q: write 7d, 10m, 2026-03-01, or \"2026-03-01 12:00\"", value)
}
