# SPDX-License-Identifier: Apache-2.0
from .rlhf_trainers import GRPOTrainer


def rlhf_main(args):
    GRPOTrainer(args).train(args.resume_from_checkpoint)
