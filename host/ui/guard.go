package ui

import (
	"crypto/subtle"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

// policy allows the page to load only its own files and to connect only to this server. A string that is interpreted as
// HTML by mistake cannot load or send anything.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const maxURL = 16 << 10 // maximum number of bytes

// guard passes the page's requests on and rejects all others with an explanation.
func guard(token string, api, page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setHeaders(w.Header())
		if err := checkRequest(r); err != nil {
			respond(w, nil, err)
			return
		}
		if !strings.HasPrefix(r.URL.Path, "/api/") {
			page.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		if !hasToken(r, token) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			respond(w, nil, &problem{http.StatusUnauthorized, "the token is missing or wrong",
				"open the link that awhost ui has printed: it ends with the token of this start"})
			return
		}
		control := http.NewResponseController(w)
		_, _ = control.SetReadDeadline(time.Time{}), control.SetWriteDeadline(time.Time{}) // the first index may take minutes
		api.ServeHTTP(w, r)
	})
}

func setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// checkRequest rejects requests that a page of this server never sends. A foreign page whose name resolves to this
// machine (DNS rebinding) sends its own name in the Host header.
func checkRequest(r *http.Request) error {
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return &problem{http.StatusMethodNotAllowed, "the viewer is read-only", "use GET"}
	case len(r.URL.RawPath)+len(r.URL.Path)+len(r.URL.RawQuery) > maxURL:
		return &problem{http.StatusRequestURITooLong, "the address is too long", "it may have 16 KiB"}
	case !namesLoopback(r):
		return &problem{http.StatusForbidden, "this is not the Host that the viewer listens on",
			"open it as localhost or 127.0.0.1, with the port that awhost ui has printed"}
	case !fromHere(r):
		return &problem{http.StatusForbidden, "the request comes from another site", "open the viewer's own page"}
	}
	return nil
}

// namesLoopback reports whether Host is a loopback name for this machine with the connection's port.
func namesLoopback(r *http.Request) bool {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil || !slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, host) {
		return false
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	_, listens, err := net.SplitHostPort(local.String())
	return err == nil && port == listens
}

func fromHere(r *http.Request) bool {
	if origins, ok := r.Header["Origin"]; ok && (len(origins) != 1 || origins[0] != "http://"+r.Host) {
		return false
	}
	site := r.Header.Get("Sec-Fetch-Site") // sent by browsers; a followed link is not a cross-site call
	return site == "" || site == "same-origin" || site == "none" || r.Header.Get("Sec-Fetch-Mode") == "navigate"
}

func hasToken(r *http.Request, token string) bool {
	given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && token != "" && subtle.ConstantTimeCompare([]byte(given), []byte(token)) == 1
}
