"""`make bench`: every benchmark, one after the other. Figures are for comparison within one run; machines are noisy."""

import sys

from tests.benchmarks import bench_import, bench_lists, bench_masks, bench_saves


def main() -> int:
    outcomes = [bench_masks.main([]), bench_lists.main([]), bench_saves.main([]), bench_import.main([])]
    return max(outcomes)


if __name__ == "__main__":
    sys.exit(main())
