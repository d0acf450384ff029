

import gc
import json
import multiprocessing
import os
import sys

from omegaconf import DictConfig, OmegaConf


def leaves(value, prefix, out):
    for key, below in value.items():
        if key == "_target_":
            continue
        if isinstance(below, dict) and below:
            leaves(below, f"{prefix}{key}.", out)
        else:
            out[f"{prefix}{key}"] = below
    return out


def composed(numbered):
    number, case = numbered
    directory = os.path.abspath(str(number))
    os.mkdir(directory)
    try:
        config = compose(case, directory)
    except Exception as error:
        return {"Error": f"{type(error).__name__}: {error}"}
    raw = leaves(OmegaConf.to_container(config, resolve=False), "", {})
    values = {}
    for key, value in raw.items():
        if "${" in repr(value):
            try:
                found = OmegaConf.select(config, key)
            except Exception:  # it leads nowhere
                continue
            value = OmegaConf.to_container(found, resolve=True) if OmegaConf.is_config(found) else found
        values[key] = value
    return {"Raw": raw, "Values": values}


gc.disable()
with multiprocessing.get_context("fork").Pool() as pool:
    json.dump(pool.map(composed, list(enumerate(json.load(sys.stdin))), chunksize=4), sys.stdout, default=repr)
