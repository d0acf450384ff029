package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// Ray is a Ray cluster that responds.
type Ray struct {
	Address string `json:"address"`
	Version string `json:"version,omitempty"` // absent if only the port responds
}

const (
	localDashboard = "http://127.0.0.1:8265"
	dashboardPort  = "8265"
)

// lookAtRay contacts the cluster at RAY_ADDRESS, or one on this machine. It makes no other connections.
func (c *Config) lookAtRay(ctx context.Context) result {
	address := c.getenv("RAY_ADDRESS")
	if address == "" || address == "auto" || address == "local" {
		return c.lookForRay(ctx, address)
	}
	f := Finding{Group: Clusters, Subject: "Ray", Status: OK}
	ray, err := reachRay(ctx, address)
	if err != nil {
		f.Status, f.Found = Failed, fmt.Sprintf("RAY_ADDRESS is %s: %v", withoutPassword(address), err)
		f.Remedy = "start the cluster (ray start --head), correct RAY_ADDRESS, or unset it: then frameworks start their " +
			"own Ray"
		return found(f)
	}
	f.Found = describeRay(ray)
	return result{findings: []Finding{f}, ray: ray}
}

// lookForRay looks for a cluster on this machine. Its absence is normal.
func (c *Config) lookForRay(ctx context.Context, address string) result {
	f := Finding{Group: Clusters, Subject: "Ray", Status: OK}
	version, err := askDashboard(ctx, c.dashboard)
	if err == nil {
		ray := &Ray{Address: c.dashboard, Version: version}
		f.Found = describeRay(ray)
		return result{findings: []Finding{f}, ray: ray}
	}
	f.Status, f.Found = Skipped, "RAY_ADDRESS is not set, and none answers at "+c.dashboard+
		": frameworks that need one start their own"
	if address == "auto" {
		f.Status, f.Found = Warn, "RAY_ADDRESS is auto, and none answers at "+c.dashboard
		f.Remedy = "start one with a dashboard (ray start --head), name it in RAY_ADDRESS, or unset that"
	}
	return found(f)
}

func describeRay(r *Ray) string {
	if r.Version == "" {
		return r.Address + " accepts connections; its version is known to its dashboard, which does not answer"
	}
	return r.Address + " answers: Ray " + r.Version
}

// reachRay accepts the address formats that Ray supports: a dashboard URL, host:port for a cluster, and ray://host:port
// for clients.
func reachRay(ctx context.Context, address string) (*Ray, error) {
	if strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://") {
		version, err := askDashboard(ctx, address)
		return &Ray{Address: withoutPassword(address), Version: version}, err
	}
	host, port, err := net.SplitHostPort(strings.TrimPrefix(address, "ray://"))
	if err != nil || host == "" || port == "" {
		return nil, errors.New("it is neither auto, host:port, ray://host:port nor the URL of a dashboard")
	}
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	_ = conn.Close() // no data was sent
	r := &Ray{Address: address}
	r.Version, _ = askDashboard(ctx, "http://"+net.JoinHostPort(host, dashboardPort)) // the dashboard may use another port
	return r, nil
}

// mostAnswer is the maximum number of bytes read from a response.
const mostAnswer = 64 << 10

// askDashboard requests a cluster's version. It uses no proxy and follows no redirects.
func askDashboard(ctx context.Context, address string) (string, error) {
	address = strings.TrimSuffix(address, "/") + "/api/version"
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	transport := &http.Transport{DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request,
		[]*http.Request) error {
		return http.ErrUseLastResponse
	}}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer))
	if err != nil {
		return "", err
	}
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("it answers %s", response.Status)
	}
	var answer struct {
		RayVersion string `json:"ray_version"`
	}
	if err := json.Unmarshal(body, &answer); err != nil || answer.RayVersion == "" {
		return "", errors.New("the service that responds there is not a dashboard of Ray")
	}
	return answer.RayVersion, nil
}

// withoutPassword returns an address without its password.
func withoutPassword(address string) string {
	if !strings.Contains(address, "@") {
		return address
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return "an address with a password"
	}
	return parsed.Redacted()
}
