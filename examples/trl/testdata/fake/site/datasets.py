# SPDX-License-Identifier: Apache-2.0
class Dataset:
    @staticmethod
    def from_dict(columns):
        return columns
