telemetry {
  metrics { listen = "127.0.0.1:9464" }
  traces { endpoint = "http://localhost:4318" }
}
