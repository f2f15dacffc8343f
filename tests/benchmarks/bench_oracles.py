"""Our statistics beside statsmodels and scikit-learn, asked anew in this run.

    python -m tests.benchmarks.bench_oracles

Every table of tests/fixtures/agreement_oracles.py: ours must differ by no more than 1e-9, and so must the values that
the tests keep. krippendorff and pingouin are asked too where somebody has installed them.
"""

import argparse
import json
import sys
from importlib.metadata import PackageNotFoundError, version

from tests.consensus.our_answers import ours
from tests.fixtures.agreement_oracles import FREE, GPL, HERE, Oracle

LARGEST_DIFFERENCE = 1e-9


def main(arguments: list[str] | None = None) -> int:
    argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "").parse_args(arguments)
    kept = json.loads(HERE.read_text())
    asked = {**FREE, **{name: of for name, of in GPL.items() if _is_installed(name)}}
    return max(_beside(name, of, kept) for name, of in asked.items())


def _is_installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        print(f"{name}: not installed, its kept values alone are compared by the tests")
        return False
    return True


def _beside(name: str, oracle: Oracle, kept: dict[str, list[dict[str, object]]]) -> int:
    from_ours, from_kept, values = 0.0, 0.0, 0
    for table in kept["tables"]:
        told, mine, before = oracle(table), ours(table), dict(table["by"]).get(name, {})  # type: ignore[call-overload]
        values += len(told)
        from_ours = max([from_ours, *(abs(mine[key] - value) for key, value in told.items())])
        from_kept = max([from_kept, *(abs(before[key] - value) for key, value in told.items())])
    good = values > 0 and max(from_ours, from_kept) <= LARGEST_DIFFERENCE
    print(
        f"{name} {version(name)}: {values} values, ours differ by {from_ours:.0e}, the kept ones by {from_kept:.0e}",
        end="",
    )
    print(f" (at most {LARGEST_DIFFERENCE:.0e}): {'reached' if good else 'MISSED'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
