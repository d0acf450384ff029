awhost {
  required_version = ">= 0.1"
  required_plugins {
    exact = { source = "https://example.com/exact-1.0.0.tar.gz" }
  }
}

variable "steps" {
  type    = number
  default = 60
  validation {
    condition     = var.steps > 0
    error_message = "steps must be positive."
  }
}

locals {
  long_run = var.steps > 1000
}

output "long_run" { value = local.long_run }
