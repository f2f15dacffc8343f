"""How a DICOM file begins: 128 bytes that mean nothing, then four that say what it is (PS3.10, 7.1)."""

_PREAMBLE, _MARK = 128, b"DICM"


def is_dicom(data: bytes) -> bool:
    return data[_PREAMBLE : _PREAMBLE + len(_MARK)] == _MARK
