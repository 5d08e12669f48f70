"""Installs into a scratch folder, builds examples/c against the installed library
through pkg-config, and runs them.

    test_install.py SOURCE_ROOT BUILD_ROOT"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE, BUILD = Path(sys.argv[1]), Path(sys.argv[2])
EXPECTED = {
    "analyze": ([], "index 3, 2 degrees of freedom"),
    "output_callback": ([str(SOURCE / "examples" / "pendulum.mo"), "x"], "x is largest at t = "),
    "own_system": ([], "completed: error "),
}
CPLUSPLUS = """#include <daetool/daetool.h>
#include <daetool/simple.h>
#include <cstdio>

int main(int, char **arguments)
{
  dae_init();
  GError *error = nullptr;
  DaePipeline *pipeline = dae_pipeline_new(nullptr);
  const bool ok = dae_pipeline_read_file(pipeline, arguments[1], nullptr, &error);
  const DaeSig *sig = ok ? dae_pipeline_analyze(pipeline, nullptr, &error) : nullptr;
  DaetoolModel *model = daetool_read_file(arguments[1], "");
  DaetoolRun *run = daetool_simulate(model, "stop=1");
  size_t n = 0;
  daetool_run_time(run, &n);
  std::printf("index %d %d, %zu points\\n", sig != nullptr ? dae_sig_index(sig) : -1,
              daetool_structural_index(model), n);
  daetool_run_free(run);
  daetool_free(model);
  dae_pipeline_free(pipeline);
}
"""
tests = failures = 0


def claim(name, ok, detail=""):
    global tests, failures
    tests += 1
    failures += not ok
    print(f"{name}:{'PASS' if ok else 'FAIL: ' + detail}", flush=True)


with tempfile.TemporaryDirectory() as folder:
    done = subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild", "--quiet",
                           "--destdir", folder], capture_output=True, text=True)
    claim("test_meson_install_works", done.returncode == 0, done.stderr[:300])
    pc = next(Path(folder).rglob("daetool.pc"), None)
    claim("test_pkg_config_file_is_installed", pc is not None)
    prefix = pc.parents[0]
    while prefix.name != "lib":
        prefix = prefix.parent
    prefix = prefix.parent
    text = pc.read_text().splitlines()  # the scratch folder becomes the prefix, for daetool alone
    pc.write_text("\n".join([f"prefix={prefix}"] +
                            [line for line in text if not line.startswith("prefix=")]) + "\n")
    environment = dict(os.environ, PKG_CONFIG_PATH=str(pc.parent),
                       LD_LIBRARY_PATH=str(pc.parent.parent))
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "daetool"], env=environment,
                           capture_output=True, text=True)
    for name, (arguments, expected) in EXPECTED.items():
        program = os.path.join(folder, name)
        built = subprocess.run(["cc", "-Wall", "-Wextra", "-Werror",
                                str(SOURCE / "examples" / "c" / f"{name}.c"),
                                *flags.stdout.split(), "-lm", "-o", program],
                               env=environment, capture_output=True, text=True)
        claim(f"test_{name}_builds_against_the_installed_library", built.returncode == 0,
              built.stderr[:500])
        ran = subprocess.run([program, *arguments], env=environment, capture_output=True,
                             text=True) if built.returncode == 0 else None
        claim(f"test_{name}_runs",
              ran is not None and ran.returncode == 0 and expected in ran.stdout, repr(ran))
    # C++ reads the same headers and links the same functions
    source = Path(folder) / "both.cpp"
    source.write_text(CPLUSPLUS)
    program = os.path.join(folder, "both")
    built = subprocess.run(["c++", "-Wall", "-Wextra", "-Werror",
                            str(source), *flags.stdout.split(), "-o", program], env=environment,
                           capture_output=True, text=True)
    claim("test_a_cplusplus_program_links", built.returncode == 0, built.stderr[:500])
    ran = subprocess.run([program, str(SOURCE / "examples" / "pendulum.mo")], env=environment,
                         capture_output=True, text=True) if built.returncode == 0 else None
    claim("test_a_cplusplus_program_runs",
          ran is not None and ran.stdout == "index 3 3, 11 points\n", repr(ran))
    # CMake finds it as well
    if shutil.which("cmake"):
        project = Path(folder) / "cmake-user"
        project.mkdir()
        shutil.copy(SOURCE / "examples" / "c" / "analyze.c", project)
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.18)\nproject(user C)\n"
            "find_package(daetool 0.1 REQUIRED)\n"
            "add_executable(user analyze.c)\ntarget_link_libraries(user daetool::daetool)\n")
        prefixes = f"-DCMAKE_PREFIX_PATH={prefix}"
        place = next(Path(folder).rglob("daetoolConfig.cmake")).parent
        done = subprocess.run(["cmake", "-S", project, "-B", project / "b", prefixes,
                               f"-Ddaetool_DIR={place}"], env=environment,
                              capture_output=True, text=True)
        done = done if done.returncode else subprocess.run(["cmake", "--build", project / "b"],
                                                           env=environment,
                                                           capture_output=True, text=True)
        claim("test_cmake_finds_the_library", done.returncode == 0, done.stderr[-500:])
        ran = subprocess.run([project / "b" / "user"], env=environment, capture_output=True,
                             text=True) if done.returncode == 0 else None
        claim("test_a_program_built_with_cmake_runs",
              ran is not None and "index 3" in ran.stdout, repr(ran))
    # the library shows what its headers declare, and nothing else
    headers = sorted((pc.parents[2] / "include" if (pc.parents[2] / "include").exists()
                      else prefix / "include").rglob("*.h"))
    claim("test_headers_are_below_daetool_only",
          headers and all("daetool" in h.parent.parts for h in headers), repr(headers[:3]))
    quoted = [h.name for h in headers if '#include "' in h.read_text()]
    claim("test_installed_headers_include_each_other_below_daetool", quoted == [], repr(quoted))
    listed = subprocess.run([sys.executable, str(SOURCE / "scripts" / "public_headers.py"),
                             "list", *map(str, headers)], capture_output=True, text=True)
    library = next(path for path in Path(folder).rglob("libdaetool.so*") if not path.is_symlink())
    shown = subprocess.run(["nm", "-D", "--defined-only", str(library)],
                           capture_output=True, text=True)
    names = sorted(line.split()[2] for line in shown.stdout.splitlines())
    wrong = sorted(set(names) ^ set(listed.stdout.split()))
    claim("test_the_library_shows_what_its_headers_declare", len(names) > 250 and not wrong,
          repr(wrong[:10]))
    installed = next(Path(folder).rglob("bin/daetool"), None)
    version = subprocess.run([installed, "--version"], env=environment,
                             capture_output=True, text=True)
    claim("test_installed_program_runs", version.stdout.startswith("daetool "), repr(version))
    # a machine with no compiler, no other program, no network: everything but --native works
    bare = {"PATH": "/nonexistent", "LD_LIBRARY_PATH": str(pc.parent.parent), "LC_ALL": "C.UTF-8"}
    alone = ["unshare", "-rn"] if subprocess.run(["unshare", "-rn", "true"],
                                                 capture_output=True).returncode == 0 else []
    alone = [shutil.which("unshare"), "-rn"] if alone else []
    model = next(Path(folder).rglob("examples/pendulum.mo"))
    page = subprocess.run([installed, "report", model], env=bare, capture_output=True, text=True)
    reports = [] if "built without the report" in page.stderr else ["report"]
    for command in ["show", "analyze", "reduce", "check-init", "simulate", *reports]:
        done = subprocess.run([*alone, installed, command, model], env=bare,
                              capture_output=True, text=True)
        claim(f"test_{command}_needs_no_other_program",
              done.returncode == 0 and done.stderr == "", repr(done)[:400])
    native = subprocess.run([installed, "simulate", "--native", model], env=bare,
                            capture_output=True, text=True)
    claim("test_native_without_compiler_says_so", native.returncode == 6
          and "--native needs a C compiler" in native.stderr, repr(native))
    for page in ["daetool.1", "daetool-analyze.1"]:
        claim(f"test_{page}_is_installed", any(Path(folder).rglob(page + "*")))
print(f"{tests} Tests {failures} Failures 0 Ignored")
sys.exit(1 if failures else 0)
