"""Send results in and wait for their score:

    python submit.py https://quorum.example.org "My challenge" offline results.zip

The token, of the scope `submit`, stands in the variable QUORUM_TOKEN.
"""

import sys

from quorum_client import Quorum

address, challenge, phase, archive = sys.argv[1:]
submission = Quorum(address).challenge(challenge).phase(phase).submit(archive, note="sent by submit.py")
print(f"submission {submission.number} was taken: {submission.sha256}")
if submission.wait().state == "scored":
    for metric, value in submission.scorecard()["metrics"].items():
        print(metric, value)
