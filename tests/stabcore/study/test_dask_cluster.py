"""A study on a real Dask cluster of two workers: the same bits as on this machine, also when a worker is killed in the middle."""

import json
import os
import signal
import subprocess
import sys
import time
import warnings

import numpy as np
import pandas as pd
import pytest
from noise_support import Here
from support import ROOT

import stabcore as sc
from stabcore.__main__ import main
from stabcore.study.executors import check_workers, connected
from stabcore.study.store import Store

pytest.importorskip("distributed", reason="Dask is an extra: pip install '.[cluster]'")
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "tests"))), "OMP_NUM_THREADS": "1"}


def frame():
    rng = np.random.default_rng(4)
    outcome = rng.integers(0, 2, 80)
    made = pd.DataFrame(rng.normal(size=(80, 12)) + outcome[:, None] * np.linspace(0, 1.2, 12), columns=list("abcdefghijkl"))
    return made.assign(stage=np.where(rng.random(80) < 0.4, "early", "late"), outcome=np.where(outcome, "sick", "well"))


def study(runs=12):
    data = sc.Dataset.from_frame(frame(), target="outcome", name="toy")
    return sc.Study(
        data,
        ["mim", "lasso", ("random_forest", {"trees": 20})],
        plan=sc.Subsample(runs, test_size=0.2),
        k=3,
        random_state=5,
        n_permutations=0,
    )


class Cluster:
    """A scheduler and its workers, each a process of its own."""

    def __init__(self, folder):
        self.folder, self.file, self.workers = folder, folder / "scheduler.json", []
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show", "--scheduler-file", str(self.file)
        )
        until = time.monotonic() + 60
        while not self.file.exists() or not self.file.read_text():
            assert time.monotonic() < until and self.scheduler.poll() is None, "no scheduler"
            time.sleep(0.1)
        self.address = json.loads(self.file.read_text())["address"]

    def _start(self, what, *options, **environment):
        with open(self.folder / f"{what}.log", "ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", what, *options],
                cwd=self.folder,
                env={**ENVIRONMENT, **environment},
                stdout=log,
                stderr=log,
            )

    def add_worker(self, threads=1, **environment):
        self.workers.append(
            self._start(
                "worker",
                self.address,
                "--nthreads",
                str(threads),
                "--no-nanny",
                "--no-dashboard",
                "--host",
                "127.0.0.1",
                "--local-directory",
                str(self.folder),
                **environment,
            )
        )
        return self.workers[-1]

    @property
    def is_up(self):
        return self.scheduler.poll() is None

    def stop(self):
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def clusters(tmp_path_factory):
    """Those that were started, the one that is in use last."""
    started = []
    yield started
    for one in started:
        one.stop()


@pytest.fixture
def scheduler(clusters, tmp_path_factory):
    """A scheduler with the workers of the test before, at first none."""
    if not clusters or not clusters[-1].is_up:
        clusters.append(Cluster(tmp_path_factory.mktemp("cluster")))
    return clusters[-1]


@pytest.fixture
def cluster(scheduler):
    """A scheduler and two workers: those of the test before, as far as it left them alive."""
    for _ in range(2 - sum(worker.poll() is None for worker in scheduler.workers)):
        scheduler.add_worker()
    return scheduler


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """The same study on this machine."""
    return study().run(Here(), store=tmp_path_factory.mktemp("here") / "s.stab").digest()


def test_a_scheduler_without_workers_gets_a_sentence(scheduler, monkeypatch):
    monkeypatch.setattr("stabcore.study.executors.PATIENCE", 2)
    with pytest.raises(sc.InputError), connected(scheduler.address):
        pass


def test_a_cluster_gives_the_same_bits_also_when_a_worker_is_killed(cluster, here, tmp_path):
    killed = []

    def kill_one(done, total):
        if done >= 6 and not killed:
            killed.extend([done, cluster.workers[-1]])
            killed[1].send_signal(signal.SIGTERM if os.name == "nt" else signal.SIGKILL)

    with connected(cluster.address) as (executor, at_once):
        assert 1 <= at_once <= 2
        made = study().run(executor, store=tmp_path / "c.stab", progress=kill_one)
    assert killed and killed[0] < 36 and killed[1].wait(20) != 0
    assert (made.progress()["done"] == 12).all()
    assert made.digest() == here


class Looked:
    """A Client as far as the workers are looked at."""

    def __init__(self, versions=None, threads=1, memory=8e9):
        self.versions, self.threads, self.memory = versions or {}, threads, memory

    def run(self, function):
        return {"tcp://a:1": function() | self.versions}

    def nthreads(self):
        return {"tcp://a:1": self.threads}

    def scheduler_info(self, n_workers):
        return {"workers": {"tcp://a:1": {"memory_limit": self.memory}}}


def test_workers_are_looked_at_before_a_study_uses_them():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_workers(Looked(), memory=1e9)
        check_workers(Looked(memory=0), memory=1e9)  # a worker without a limit
    with pytest.raises(sc.InputError, match="stabcore 0.0.1"):
        check_workers(Looked({"stabcore": "0.0.1"}))
    with pytest.raises(sc.InputError, match="memory"):
        check_workers(Looked(memory=0.5e9), memory=1e9)
    with pytest.warns(UserWarning, match=r"numpy 1\.0 .*scipy 0\.1"):
        check_workers(Looked({"numpy": "1.0", "scipy": "0.1"}))
    with pytest.warns(UserWarning, match="--nworkers auto --nthreads 1"):
        check_workers(Looked(threads=4))


def test_the_command_line_runs_a_study_there_too(cluster, here, tmp_path):
    frame().to_csv(tmp_path / "toy.csv", index=False)
    settings = tmp_path / "study.toml"
    settings.write_text(
        '[data]\nfile = "toy.csv"\ntarget = "outcome"\n[study]\nk = 3\nrandom_state = 5\nn_permutations = 0\n'
        '[plan]\nkind = "subsample"\nn_runs = 12\ntest_size = 0.2\n[[selector]]\nkey = "mim"\n'
        '[[selector]]\nkey = "lasso"\n[[selector]]\nkey = "random_forest"\ntrees = 20\n',
        encoding="utf-8",
    )
    assert main(["run", str(settings), "--scheduler", cluster.address]) == 0
    assert sc.open_study(tmp_path / "study.stab").digest() == here


@pytest.mark.slow
def test_what_was_done_is_kept_when_the_scheduler_goes(cluster, here, tmp_path):
    def stop_it(done, total):
        if done >= 4:
            cluster.scheduler.kill()

    store = tmp_path / "s.stab"
    with connected(cluster.address) as (executor, _), pytest.raises(sc.InputError, match="Finished runs are kept"):
        study().run(executor, store=store, progress=stop_it)
    assert 4 <= len(Store(store).finished()) < 36
    assert study().run(store=store, n_jobs=1).digest() == here


@pytest.mark.parametrize("address", ["localhost", None, "tcp://127.0.0.1:9"])
def test_wrong_addresses_get_sentences(address, monkeypatch):
    monkeypatch.setattr("stabcore.study.executors.PATIENCE", 1)
    with pytest.raises(sc.InputError, match=address), connected(address):
        pass
