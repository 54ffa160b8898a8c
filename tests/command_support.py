"""Studies run by the command, as processes of their own, and what kills them."""

import os
import signal
import subprocess
import sys
import time

import psutil
from study_support import frame
from support import ROOT

import stabcore as sc
from stabcore.study.store import Store
from stabcore.study.working_files import StudyLock

PROMISED = 2.0  # seconds after which no worker of a study that was killed is alive


def settings_file(folder, runs=12, selectors=("mim", "lasso", "random_forest"), more=""):
    frame().to_csv(folder / "toy.csv", index=False)
    path = folder / "study.toml"
    path.write_text(
        '[data]\nfile = "toy.csv"\ntarget = "outcome"\n[study]\nk = 3\nrandom_state = 5\nn_permutations = 0\n'
        f'[plan]\nkind = "subsample"\nn_runs = {runs}\ntest_size = 0.2\n'
        + "".join(f'[[selector]]\nkey = "{key}"\n' for key in selectors)
        + more,
        encoding="utf-8",
    )
    return path


def start(settings, store, n_jobs=2, stderr=subprocess.PIPE, more=(), **environment):
    command = [sys.executable, "-m", "stabcore", "run", str(settings), "--store", str(store), "--n-jobs", str(n_jobs), *more]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "tests"))), **environment}
    return subprocess.Popen(command, env=environment, cwd=ROOT, stderr=stderr, text=True)


def wait_for(condition, seconds=60):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it took too long"
        time.sleep(0.02)


def tasks(store):
    """(selector, run) of those that are finished."""
    try:
        return Store(store).finished()
    except sc.InputError:
        return set()


def alive(number):
    """Does a process with this number still do anything?"""
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _words(process):
    """The command of a process; nothing of one that has just ended."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def kill_again_and_again(settings, store, times, chance, latest=0.15, promised=PROMISED):
    """Kill a study so often, each time after one more task and a random while, with SIGKILL or SIGTERM in turn.

    Returns tasks that were in its file before a kill and not after it, and workers that outlived it by `promised` seconds.
    """
    lost, outlived = [], []
    for number in range(times):
        before = tasks(store)
        process = start(settings, store)
        wait_for(lambda: len(tasks(store)) > len(before) or process.poll() is not None)
        time.sleep(chance.uniform(0, latest))
        seen, children = tasks(store), psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
        workers = [one.pid for one in children if "LokyProcess" in _words(one)]
        process.send_signal((signal.SIGKILL, signal.SIGTERM)[number % 2])
        process.wait()
        process.stderr.close()
        until = time.monotonic() + promised
        while time.monotonic() < until and any(map(alive, workers)):
            time.sleep(0.05)
        outlived += [one for one in workers if alive(one)]
        wait_for(lambda: not StudyLock.held(store))
        lost += sorted((before | seen) - tasks(store))
    return lost, outlived
