"""Process guard: workers end with their study in every state, and no files stay behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from command_support import alive, settings_file, start, wait_for
from study_support import study
from support import ROOT, slow

import stabcore as sc
from stabcore.study import guard
from stabcore.study.scheduling import worker_guard
from stabcore.study.working_files import StudyLock, working_folder, working_folders

posix = pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")


def working(folder):
    """Environment that puts all temporary files of the study and its workers into folder."""
    return [place for place, _, names in os.walk(folder) if "values.npy" in names]  # files may vanish meanwhile


@posix
@pytest.mark.parametrize(
    ("sent", "holding"), [("SIGKILL", True), ("SIGTERM", False), slow("SIGKILL", False), slow("SIGTERM", True)]
)
def test_workers_end_with_the_study_during_a_long_task(holding, sent, tmp_path):
    (tmp_path / "stuck_here.py").write_text("from own_support import Stuck\n")
    selector_settings = f'[[selector]]\nown = "stuck_here:Stuck"\nfolder = "{tmp_path}"\nholding = {str(holding).lower()}\n'
    settings, store = settings_file(tmp_path, selectors=[], more=selector_settings), tmp_path / "study.stab"
    process = start(settings, store, more=["--allow-code"])
    wait_for(lambda: len(list(tmp_path.glob("*.begun"))) == 2, 60)
    workers = [int(path.stem) for path in tmp_path.glob("*.begun")]
    assert all(alive(worker) for worker in workers) and working(tmp_path)
    process.send_signal(getattr(signal, sent))
    wait_for(lambda: not any(alive(worker) for worker in workers), 30)  # bench_kills.py measures how soon
    assert process.wait(10) == -getattr(signal, sent) and not StudyLock.held(store)
    wait_for(lambda: not working(tmp_path), 10)


def test_finished_study_leaves_no_guard_and_no_files(tmp_path):
    process = start(settings_file(tmp_path, selectors=["mim"]), tmp_path / "study.stab")

    def guards():
        return [child for child in psutil.Process(process.pid).children() if "guard.py" in " ".join(child.cmdline())]

    watching = wait_for(guards, 60)
    arguments = [part for watcher in watching for part in watcher.cmdline()]
    assert process.wait(60) == 0 and len(sc.open_study(tmp_path / "study.stab").store.finished()) == 12
    assert not any(watcher.is_running() for watcher in watching) and not working(tmp_path)
    assert str(tmp_path) not in " ".join(arguments)


def test_workers_of_a_broken_pool_end_with_the_study(tmp_path):
    with worker_guard(tmp_path):
        worker = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", "loky"])
        (tmp_path / f"{worker.pid}.worker").touch()
        assert worker.poll() is None
    assert worker.wait(10) != 0 and tmp_path.exists()


def test_stopped_study_leaves_no_worker(tmp_path):
    def works(process):
        try:
            return "LokyProcess" in " ".join(process.cmdline())
        except psutil.Error:  # ended, but not yet reaped
            return False

    def workers():
        return [process for process in psutil.Process().children(recursive=True) if works(process)]

    before = workers()
    part = study().run(store=tmp_path / "s.stab", n_jobs=2, progress=lambda done, total: done < 1)
    assert len(part.store.finished()) < 18 and workers() == before


def test_files_of_a_killed_study_are_removed_at_the_next_start(tmp_path):
    store = tmp_path / "study.stab"
    (tmp_path / "study.stab.work-old").mkdir()
    (tmp_path / "study.stab.work-old" / "values.npy").write_bytes(b"measurements")
    (tmp_path / "other.stab.work-old").mkdir()
    with working_folder(store) as folder:
        assert working_folders(store) == [folder] and folder.parent == tmp_path
        assert os.name == "nt" or folder.stat().st_mode & 0o777 == 0o700
    assert not working_folders(store) and (tmp_path / "other.stab.work-old").is_dir()


def test_reused_process_ids_are_not_killed(tmp_path):
    bystander = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        (tmp_path / f"{bystander.pid}.worker").touch()
        (tmp_path / "999999999.worker").touch()
        process = subprocess.Popen([sys.executable, "-P", guard.__file__], cwd=tmp_path, stdin=subprocess.PIPE)
        process.stdin.close()
        assert process.wait(20) == 0 and bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_worker_that_signs_in_too_late_ends_itself(tmp_path):
    code = f"from stabcore.study.guard import register_worker; register_worker({str(tmp_path)!r}, 1); print('goes on')"
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert done.returncode == 1 and not done.stdout and len(list(Path(tmp_path).glob("*.worker"))) == 1
