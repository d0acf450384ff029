"""Deletes a state from the server. Standard input has its URI and the adapter's configuration."""

import json
import os
import sys

import tinker

from .errors import ServiceError, SessionLost, explained

about = json.load(sys.stdin)
config, rest = about["config"] | {"busy_timeout": 45e9}, getattr(tinker, "RestClient", None)  # the host waits 60 s
options = {"base_url": config["base_url"] or None, "api_key": os.environ[config["api_key_env"]]}
try:
    with explained("delete the checkpoint", config):
        client = rest(**options) if rest else tinker.ServiceClient(**options).create_rest_client()  # version 0.25
        client.delete_checkpoint_from_tinker_path(about["state"]).result(config["busy_timeout"] / 1e9)
except (ServiceError, SessionLost) as e:
    if getattr(e.__cause__, "status_code", 0) != 404:  # it does not exist: deleted already
        sys.exit(str(e))
