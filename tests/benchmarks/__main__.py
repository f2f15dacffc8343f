"""`make bench`: every benchmark, one after the other. Figures are for comparison within one run; machines are noisy."""

import sys

from tests.benchmarks import (
    bench_annotations,
    bench_assignment,
    bench_challenges,
    bench_consensus,
    bench_export,
    bench_frames,
    bench_fusion,
    bench_import,
    bench_lists,
    bench_masks,
    bench_monitor,
    bench_objects,
    bench_opening,
    bench_oracles,
    bench_ranking,
    bench_saves,
    bench_scoring,
    bench_table,
)


def main() -> int:
    benchmarks = (
        *(bench_opening, bench_frames, bench_masks, bench_fusion, bench_consensus, bench_export, bench_objects),
        *(bench_table, bench_oracles, bench_monitor),
        *(bench_scoring, bench_ranking, bench_challenges, bench_lists, bench_saves, bench_import, bench_annotations),
        *(bench_assignment,),
    )
    return max(int(benchmark.main([])) for benchmark in benchmarks)


if __name__ == "__main__":
    sys.exit(main())
