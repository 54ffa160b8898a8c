"""A study on a real Dask cluster of two workers: the same bits as locally, also if a worker is killed."""

import json
import os
import signal
import subprocess
import sys
import time
import warnings

import pytest
import study_support
from command_support import settings_file
from noise_support import Here
from support import ROOT

import stabcore as sc
from stabcore.__main__ import main
from stabcore.study.executors import check_workers, connect_to_scheduler

pytest.importorskip("distributed", reason="Dask is an extra: pip install '.[cluster]'")
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "tests"))), "OMP_NUM_THREADS": "1"}


def study():
    return study_support.study(["mim", "lasso", ("random_forest", {"trees": 5})], runs=12)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Return (address, processes of the scheduler and two workers)."""
    folder, processes = tmp_path_factory.mktemp("cluster"), []

    def start(what, *options):
        with open(folder / f"{what}.log", "ab") as log:
            command = [sys.executable, "-m", "dask", what, *options, "--host", "127.0.0.1", "--no-dashboard"]
            processes.append(subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, stdout=log, stderr=log))

    file, until = folder / "scheduler.json", time.monotonic() + 60
    start("scheduler", "--port", "0", "--no-show", "--scheduler-file", str(file))
    while not file.exists() or not file.read_text():
        assert time.monotonic() < until and processes[0].poll() is None, "no scheduler"
        time.sleep(0.1)
    address = json.loads(file.read_text())["address"]
    for _ in range(2):
        start("worker", address, "--nthreads", "1", "--no-nanny", "--local-directory", str(folder))
    yield address, processes
    for process in processes:
        process.kill()
        process.wait()


def test_cluster_gives_the_same_bits_if_a_worker_is_killed(cluster, tmp_path):
    address, (_, *workers), killed = *cluster, []
    here = study().run(Here(), store=tmp_path / "here.stab").digest()

    def kill_one(done, total):
        if done >= 6 and not killed:
            killed.append(done)
            workers[-1].send_signal(signal.SIGTERM if os.name == "nt" else signal.SIGKILL)

    with connect_to_scheduler(address) as (executor, at_once):
        assert 1 <= at_once <= 2
        made = study().run(executor, store=tmp_path / "c.stab", progress=kill_one)
    assert killed and killed[0] < 36 and workers[-1].wait(20) != 0
    assert (made.progress()["done"] == 12).all() and made.digest() == here
    settings = settings_file(tmp_path, more="trees = 5\n")  # also from the command line
    assert main(["run", str(settings), "--scheduler", address]) == 0
    assert sc.open_study(tmp_path / "study.stab").digest() == here


class ClientDouble:
    """The parts of a Client that check_workers uses."""

    def __init__(self, versions=None, threads=1, memory=8e9):
        self.versions, self.threads, self.memory = versions or {}, threads, memory

    def run(self, function):
        return {"tcp://a:1": function() | self.versions}

    def nthreads(self):
        return {"tcp://a:1": self.threads}

    def scheduler_info(self, n_workers):
        return {"workers": {"tcp://a:1": {"memory_limit": self.memory}}}


def test_workers_are_checked_before_a_study_uses_them():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_workers(ClientDouble(), memory=1e9)
        check_workers(ClientDouble(memory=0), memory=1e9)  # a worker without a limit
    with pytest.raises(sc.InputError, match="stabcore 0.0.1"):
        check_workers(ClientDouble({"stabcore": "0.0.1"}))
    with pytest.raises(sc.InputError, match="memory"):
        check_workers(ClientDouble(memory=0.5e9), memory=1e9)
    with pytest.warns(UserWarning, match=r"numpy 1\.0 .*scipy 0\.1"):
        check_workers(ClientDouble({"numpy": "1.0", "scipy": "0.1"}))
    with pytest.warns(UserWarning, match="--nworkers auto --nthreads 1"):
        check_workers(ClientDouble(threads=4))


def test_lost_scheduler_keeps_runs_and_bad_addresses_are_refused(cluster, tmp_path, monkeypatch):
    address, processes = cluster

    def stop_it(done, total):
        if done >= 4:
            processes[0].kill()

    with connect_to_scheduler(address) as (executor, _), pytest.raises(sc.InputError):
        study().run(executor, store=tmp_path / "s.stab", progress=stop_it)
    assert 4 <= len(sc.open_study(tmp_path / "s.stab").store.finished()) < 36
    monkeypatch.setattr("stabcore.study.executors.CONNECTION_SECONDS", 1)
    for wrong in ("localhost", None, address):
        with pytest.raises(sc.InputError), connect_to_scheduler(wrong):
            pass
