"""Fetch the references of a study's latest version: python references.py https://quorum.example.org "My study"

The token, of the scope `references`, stands in the variable QUORUM_TOKEN.
"""

import sys

from quorum_client import Quorum

address, study = sys.argv[1:]
for photograph in Quorum(address).study(study).version().references():
    for target, reference in photograph.references.items():
        told = int(reference.mask().sum()) if reference.texts else reference.point or reference.label
        print(photograph.name, target, reference.state, told)
