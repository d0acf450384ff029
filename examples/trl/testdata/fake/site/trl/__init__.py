# SPDX-License-Identifier: Apache-2.0
from .trainer.grpo_config import GRPOConfig
from .trainer.grpo_trainer import GRPOTrainer

__version__ = "1.16.0"
