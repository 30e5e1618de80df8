"""Numbers that come from matrix products do not depend on how many threads make the products."""

import os
import subprocess
import sys

import numpy as np

PROGRAM = """
import sys
import numpy as np
from deadheat.stats.drawing import resample
from deadheat.stats.multiple import maxt, rank_draws
from deadheat.stats.paired import mcnemar, pairs_mcnemar, pairs_t

rng = np.random.default_rng(5)
right = (rng.random((150, 600)) < rng.random(600)).astype(np.float32)
values, present = rng.random((150, 600)), rng.random((150, 600)) < 0.95
values, cluster = np.where(present, values, 0), np.arange(600) // 20
whole, weights = np.ones(present.shape, dtype=bool), rng.random(600)
a_only, shared = pairs_mcnemar.discordant(np.where(present, right, 0), present)
complete, _ = pairs_mcnemar.discordant(right, whole)
t = pairs_t.all_pairs_t(values, present, None, weights)
cr2 = pairs_t.all_pairs_t(values[:40], present[:40], cluster, weights, kind="CR2")
draws = resample.bootstrap_scores(values, present, cluster, weights, 500, rng=np.random.default_rng(1))
np.savez(
    sys.argv[1], a_only=a_only, shared=shared, complete=complete, t=t.p, t_se=t.se, cr2=cr2.p, cr2_df=cr2.df,
    exact=pairs_mcnemar.all_pairs(a_only, mcnemar.mcnemar_exact).log10_p, draws=draws,
    ranks=rank_draws.rank_probabilities([draws]),
    max_t=maxt.max_t(values[:40], whole[:40], draws=500, rng=np.random.default_rng(2)),
)
"""


def test_one_thread_and_two_give_the_same(tmp_path):
    found = []
    for threads in ("1", "2"):
        file = tmp_path / f"{threads}.npz"
        environment = os.environ | dict.fromkeys(
            ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), threads
        )
        subprocess.run([sys.executable, "-c", PROGRAM, str(file)], check=True, env=environment)
        found.append(np.load(file))
    one, two = found
    for name in one.files:
        np.testing.assert_allclose(one[name], two[name], rtol=1e-12, atol=1e-12, err_msg=name)
    for name in ("a_only", "shared", "complete", "exact", "draws", "ranks"):
        np.testing.assert_array_equal(one[name], two[name], err_msg=name)
