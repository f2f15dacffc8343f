"""What must not stand in the operator's log: who the patient is, who takes part, and what lets somebody in."""

import logging
import re

LEFT_OUT = "[…]"
ENDINGS = r"\.(?:jpe?g|png|tiff?|bmp|dcm|zip|tgz|gz|tar|csv)\b"
SECRETS = [
    # The link of an invitation, of a new password and of an address to be confirmed.
    (re.compile(r"(/(?:invitations|password/reset/key|confirm-email)/)[^\s/]+"), rf"\1{LEFT_OUT}"),
    (re.compile(r"quorum_[\w-]{16,}"), LEFT_OUT),  # a token of the API, wherever it was written by mistake
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), LEFT_OUT),
    # Names of pictures and tables, which clinics like to call after the patient; in quotes they may hold blanks.
    (re.compile(rf"(['\"“])[^'\"“”\n]*{ENDINGS}", re.IGNORECASE), rf"\1{LEFT_OUT}"),
    (re.compile(rf"[^\s/\\]+{ENDINGS}", re.IGNORECASE), LEFT_OUT),
]


class DiscreetFormatter(logging.Formatter):
    """The last step before a line is written, so that tracebacks and other libraries' lines pass it too."""

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        for secret, instead in SECRETS:
            text = secret.sub(instead, text)
        return text
