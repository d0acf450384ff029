# SPDX-License-Identifier: Apache-2.0
from .rlhf_args import RLHFArguments
