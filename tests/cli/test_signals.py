"""Signals and what a shell can do to a process before it starts: from the first statement of
main on, every end is a documented one."""

import os
import pty
import random
import resource
import signal
import subprocess
import time

from harness import (EXAMPLES, HANG, PROGRAM, check_exit, contains, equal, main,
                     main_has_begun, not_under_memcheck, patience, run, scratch,
                     signals_as_in_a_shell, with_more_and_more_time)

PENDULUM = str(EXAMPLES / "pendulum.mo")
COMMANDS = {"show": 4, "analyze": 4, "reduce": 4, "check-init": 4, "export": 4, "simulate": 5}
WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated", signal.SIGHUP: "hung up",
         signal.SIGXCPU: "the system's limit of processor time reached"}


def start(*arguments, ignored=(), **more):
    def prepare():
        signals_as_in_a_shell()
        for number in ignored:
            signal.signal(number, signal.SIG_IGN)
    options = dict(stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                   text=True, preexec_fn=prepare)
    return subprocess.Popen([PROGRAM, *arguments], **{**options, **more})


@not_under_memcheck("Valgrind has its own signal mask")
def test_signals_in_the_first_milliseconds():
    moments = random.Random(3)
    ends = set()
    for command, code in COMMANDS.items():
        for trial in range(12):
            number = list(WORDS)[trial % 4]
            with scratch() as folder:
                result = os.path.join(folder, "r.csv" if command == "simulate" else "r.txt")
                process = start(command, PENDULUM, "-o", result)
                main_has_begun(process)
                time.sleep(0.0 if trial < 4 else 0.03 * moments.random())
                process.send_signal(number)
                _, err = process.communicate(timeout=HANG)
                assert process.returncode in (0, code), (command, number, process.returncode, err)
                if process.returncode == code:
                    contains(err, f"daetool: {WORDS[number]} ")
                assert os.listdir(folder) in ([], [os.path.basename(result)]), os.listdir(folder)
                ends.add(process.returncode)
    assert ends <= {0, 4, 5}, ends  # which of them, the machine decides


@not_under_memcheck("Valgrind has its own signal mask")
def test_help_and_wrong_command_lines_bear_signals():
    for arguments, codes in [(["--help"], (0, 4)), (["--version"], (0, 4)),
                             (["simulate", "--help"], (0, 4)), (["nope"], (2,)),
                             (["show"], (2,)), ([], (2,))]:
        for number in WORDS:
            process = start(*arguments)
            main_has_begun(process)
            process.send_signal(number)
            process.communicate(timeout=HANG)
            assert process.returncode in codes, (arguments, process.returncode)


def test_waiting_for_a_model_can_be_interrupted():
    for command, code in COMMANDS.items():
        for number in (signal.SIGINT, signal.SIGHUP):
            process = start(command, "-", stdin=subprocess.PIPE)
            main_has_begun(process)
            process.send_signal(number)
            err = process.stderr.read()
            equal(process.wait(timeout=HANG), code)
            equal(err, f"daetool: {WORDS[number]} while reading the model\n")
            process.stdin.close()
            process.stdout.close()
            process.stderr.close()


def test_waiting_for_the_reader_of_a_fifo_can_be_interrupted():
    with scratch() as folder:
        fifo = os.path.join(folder, "fifo.csv")
        os.mkfifo(fifo)
        for command, code in COMMANDS.items():
            process = start(command, PENDULUM, "-o", fifo)
            main_has_begun(process)
            time.sleep(0.3)  # mostly it waits by then; where it does not yet, the end is the same
            process.terminate()
            equal((process.communicate(timeout=HANG), process.returncode)[1], code)
        equal(os.listdir(folder), ["fifo.csv"])


@not_under_memcheck("no end under Valgrind while a thread is blocked in write; "
                    "natively there is one")
def test_limits_hold_while_nobody_reads():
    """Neither a full pipe of results nor one of messages holds the process beyond its limits."""
    for arguments in (["simulate", PENDULUM, "--interval", "0.001", "--max-time",
                       str(patience(0.5))], ["simulate", PENDULUM, "--interval", "0.001"]):
        process = start(*arguments)  # 64 KiB fit into the pipe
        main_has_begun(process)
        # it cannot end by itself, however long this takes: the pipe is too small for the results
        time.sleep(patience(0.6))
        if "--max-time" not in arguments:
            process.terminate()
        equal(process.wait(timeout=HANG), 5)
        process.stdout.close()
        process.stderr.close()
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    while True:
        try:
            os.write(writer, b"x" * 4096)
        except BlockingIOError:
            break
    os.set_blocking(writer, True)
    # its message finds no place
    process = start("simulate", "/nonexistent.mo", "--max-time", str(patience(0.3)), stderr=writer)
    equal(process.wait(timeout=HANG), 5)
    os.close(reader)
    os.close(writer)
    process.stdout.close()


def test_an_end_between_two_outputs_keeps_the_results():
    """The integrator asks at each step, not at each output point."""
    with scratch() as folder:
        model, result = os.path.join(folder, "m.mo"), os.path.join(folder, "r.csv")
        open(model, "w").write("model A Real x(start = 0, fixed = true); "
                               "equation der(x) = cos(1e4*time); end A;")
        for method in ([], ["--method", "bdf3", "--step", "1e-5"]):
            def attempt(limit):
                done = run("simulate", model, "--stop", "1e6", "--intervals", "1", "--max-time",
                           limit, "-o", result, *method)
                check_exit(done, 5)
                contains(done.err, "time limit")
                if not os.path.exists(result):
                    return False  # ended before the first point
                contains(done.err, "; the results so far are kept")
                equal(open(result).read(), '"time","x"\n0,0\n')
                os.remove(result)
                return True
            with_more_and_more_time(2, attempt)


def test_signals_that_were_ignored_stay_ignored():
    """nohup, and jobs in the background of a script."""
    with scratch() as folder:
        path = os.path.join(folder, "r.csv")
        process = start("simulate", PENDULUM, "--stop", "40", "-o", path, "--interval", "0.001",
                        ignored=(signal.SIGINT, signal.SIGHUP))
        for _ in range(20):
            time.sleep(patience(0.005))
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGHUP)
        _, err = process.communicate(timeout=HANG)
        equal((process.returncode, err), (0, ""))


def test_the_pager_keeps_control_c_and_a_termination_ends_all():
    with scratch() as folder:
        pager = os.path.join(folder, "pager")
        open(pager, "w").write("#!/bin/sh\ntrap '' INT\ncat > /dev/null\necho shown > \"$1\"\n"
                               "read answer < \"$2\"\n")
        os.chmod(pager, 0o700)
        for arguments in (["export", PENDULUM], ["simulate", "--help"]):
            shown, gate = os.path.join(folder, "shown"), os.path.join(folder, "gate")
            for sent, code in ((signal.SIGINT, 0), (signal.SIGTERM, 4)):
                os.mkfifo(gate)
                master, slave = pty.openpty()
                process = start(*arguments, stdin=slave, stdout=slave,
                                env=dict(os.environ, LINES="10", COLUMNS="80", TERM="xterm",
                                         DAETOOL_PAGER=f"{pager} {shown} {gate}"))
                while not os.path.exists(shown):
                    time.sleep(0.01)
                process.send_signal(sent)
                if code == 0:  # it waits for its pager, however long that is
                    equal(process.poll(), None)
                else:
                    equal(process.wait(timeout=HANG), 4)
                answer = os.open(gate, os.O_RDWR)  # open until the pager has read it, however late
                os.write(answer, b"\n")
                equal(process.wait(timeout=HANG), code)
                os.close(answer)
                contains(process.stderr.read(),
                         "" if code == 0 else "daetool: terminated while showing the ")
                for fd in (master, slave):
                    os.close(fd)
                process.stderr.close()
                os.remove(gate)
                os.remove(shown)


# ---- what a shell can set --------------------------------------------------------------------


def limited(kind, value):
    return lambda: resource.setrlimit(kind, (value, resource.getrlimit(kind)[1]))


def test_a_limit_of_file_size_is_exit_6():
    with scratch() as folder:
        for arguments in (["simulate", "-o", "r.csv"], ["simulate", "-o", "r.mat"],
                          ["simulate", "-o", "r.json"], ["simulate", "--plot", "p.svg"],
                          ["export", "-o", "m.c"]):
            process = start(arguments[0], PENDULUM, *arguments[1:], cwd=folder,
                            preexec_fn=limited(resource.RLIMIT_FSIZE, 2000))
            _, err = process.communicate(timeout=HANG)
            equal(process.returncode, 6)
            contains(err, "File too large")
            equal(os.listdir(folder), [])


def test_a_limit_of_processor_time_keeps_the_results():
    with scratch() as folder:
        path = os.path.join(folder, "r.csv")
        process = start("simulate", PENDULUM, "--stop", "1e9", "-o", path,
                        preexec_fn=limited(resource.RLIMIT_CPU, 1))
        _, err = process.communicate(timeout=HANG)
        equal(process.returncode, 5)
        contains(err, "daetool: the system's limit of processor time reached ")


@not_under_memcheck("the wrapper and Valgrind need files of their own")
def test_few_open_files():
    for n in (3, 4, 5, 8):
        for command in COMMANDS:
            process = start(command, PENDULUM, "-o", "/dev/null",
                            preexec_fn=limited(resource.RLIMIT_NOFILE, n))
            _, err = process.communicate(timeout=HANG)
            # 127: the system could not load the libraries
            assert process.returncode in (0, 6, 127), (n, command, process.returncode, err)


@not_under_memcheck("Valgrind's report takes the place of a closed stream")
def test_closed_streams():
    with scratch() as folder:
        for command in COMMANDS:
            result = os.path.join(folder, "r.csv")
            for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
                for arguments, code in ((f"'{PENDULUM}' -o '{result}'", 0), (
                    f"'{PENDULUM}'", 6 if ">&-" in closed.replace("2>&-", "") else 0)):
                    done = subprocess.run(["sh", "-c",
                                           f"exec '{PROGRAM}' {command} {arguments} {closed}"],
                                          capture_output=True, text=True)
                    equal((command, closed, done.returncode), (command, closed, code))
                    if "-o" in arguments:
                        assert "daetool" not in open(
                            result).read()[:8], "a message went into the result"
                        os.remove(result)
        # the warning about the input must not end in the file, whose number
        # would be that of standard error
        model = os.path.join(folder, "m.mo")
        open(model, "w").write("model A input Real u; Real x(start = 1, fixed = true); "
                               "equation der(x) = u; end A;")
        plain = check_exit(run("simulate", model), 0)
        contains(plain.err, "warning")
        for closed in ("2>&-", "<&- >&- 2>&-"):
            equal(subprocess.run(["sh", "-c", f"exec '{PROGRAM}' simulate '{model}' -o "
                                  f"'{folder}/r.csv' --verbose --stats {closed}"]).returncode,
                  0)
            equal(open(f"{folder}/r.csv").read(), plain.out)
        equal(subprocess.run(["sh", "-c", f"exec '{PROGRAM}' show - <&-"],
                             capture_output=True).returncode, 6)


main(globals())
