"""Studies run by the command in separate processes."""

import os
import subprocess
import sys

import psutil
from study_support import frame
from support import ROOT, wait_for  # noqa: F401

import stabcore as sc
from stabcore.study.store import Store


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


def tasks(store):
    """Return (selector, run) of finished tasks."""
    try:
        return Store(store).finished()
    except sc.InputError:
        return set()


def alive(number):
    """Return whether a process with this id is still running."""
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
