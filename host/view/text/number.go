package text

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Number formats a measurement with three or four significant digits.
func Number(x float64) string {
	abs := math.Abs(x)
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return strconv.FormatFloat(x, 'g', -1, 64)
	case abs == 0:
		return "0"
	case abs >= 1e15 || abs < 1e-3:
		return fmt.Sprintf("%.1e", x)
	case abs >= 1e9:
		return fmt.Sprintf("%.2fG", x/1e9)
	case abs >= 1e6:
		return fmt.Sprintf("%.2fM", x/1e6)
	case abs >= 1e4:
		return fmt.Sprintf("%.1fk", x/1e3)
	case abs >= 1e3:
		return fmt.Sprintf("%.0f", x)
	case abs >= 1e2:
		return fmt.Sprintf("%.1f", x)
	case abs >= 10:
		return fmt.Sprintf("%.2f", x)
	case abs >= 0.1:
		return fmt.Sprintf("%.3f", x)
	}
	return fmt.Sprintf("%.4f", x)
}

// Percent formats a fraction.
func Percent(fraction float64) string {
	if math.IsNaN(fraction) || math.IsInf(fraction, 0) {
		return Number(fraction)
	}
	return fmt.Sprintf("%.1f %%", 100*fraction)
}

// Count formats an integer with thousands separators.
func Count(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Bytes formats a file size: "3 KiB", "1.5 MiB", "2.0 GiB", or "-" for zero.
func Bytes(n int64) string {
	switch {
	case n <= 0:
		return "-"
	case n < 1<<20:
		return fmt.Sprintf("%.0f KiB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}

// Digest returns a prefix of a SHA-256 hash that is long enough to identify it.
func Digest(digest string) string {
	const enough = 10
	if hex, ok := strings.CutPrefix(digest, "sha256:"); ok && len(hex) > enough {
		return hex[:enough]
	}
	return digest
}

// Clock formats a duration as 0:07, 1:02:03 or 2d 03:04.
func Clock(d time.Duration) string {
	seconds := int(max(0, d).Round(time.Second) / time.Second)
	minutes, hours, days := seconds/60, seconds/3600, seconds/86400
	switch {
	case days > 0:
		return fmt.Sprintf("%dd %02d:%02d", days, hours%24, minutes%60)
	case hours > 0:
		return fmt.Sprintf("%d:%02d:%02d", hours, minutes%60, seconds%60)
	}
	return fmt.Sprintf("%d:%02d", minutes, seconds%60)
}

// Plural returns "1 step" or "3 steps".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Count(n) + " " + noun + "s"
}

// Join joins the non-empty parts.
func Join(separator string, parts ...string) string {
	kept := parts[:0:0]
	for _, part := range parts {
		if part != "" {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, separator)
}
