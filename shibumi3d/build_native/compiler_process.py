"""Build process that runs mypyc and the C compiler in the current folder.

It is started as a script, by path. Its argument is the ``repr`` of the compiler flags and the result of
:func:`shibumi3d.build_native.compilation.plan_libraries`. It writes a line to standard output whenever it makes
progress or finishes a library; compiler messages go to standard error. It stops when its parent process does.
"""

from __future__ import annotations

import ast
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from threading import Thread
from typing import Any

import setuptools
from mypyc.build import mypycify
from setuptools.command.build_ext import build_ext

MYPYC_TIME_SHARE = 0.06
"""Estimated fraction of the build time that mypyc takes; the C compiler takes the rest."""
HOT_LEVEL, COLD_LEVEL = "3", "g"
"""Optimization levels (``-O``) for hot code and for all other code."""
RELATIVE_COST_BY_LEVEL = {HOT_LEVEL: 2.6, COLD_LEVEL: 1.0}
"""Relative compile time per byte of source at each optimization level."""
UNITS_FOLDER = "__units__"
COLD_ERROR_DECLARATIONS = """
struct _object;
__attribute__((cold)) struct _object *PyErr_Occurred(void);
__attribute__((cold)) void PyErr_SetString(struct _object *, const char *);
__attribute__((cold)) void CPy_AddTraceback(const char *, const char *, int, struct _object *);
__attribute__((cold)) void CPy_AttributeError(
    const char *, const char *, const char *, const char *, int, struct _object *);
__attribute__((cold)) void CPy_TypeErrorTraceback(
    const char *, const char *, int, struct _object *, const char *, struct _object *);
"""
"""Declarations that mark the error paths in mypyc's code as cold.

mypyc generates an error check after almost every operation. With this hint, the C compiler moves the error paths out of
the way, and doesn't count them when it estimates a function's size for inlining.
"""
DOUBLE_HEADER = "double.h"
DOUBLE_DECLARATIONS = """
#ifndef SHIBUMI3D_DOUBLE_H
#define SHIBUMI3D_DOUBLE_H
#ifdef __SIZEOF_INT128__
/* Python aligns objects to 8 bytes on some systems. */
typedef __int128 double_int __attribute__((aligned(8)));
typedef unsigned __int128 unsigned_double_int __attribute__((aligned(8)));

static __attribute__((unused)) PyObject *box_double_int(double_int value) {
    if (value == (long long)value) return PyLong_FromLongLong((long long)value);
    PyObject *high = PyLong_FromLongLong((long long)(value >> 64)), *bits = PyLong_FromLong(64);
    PyObject *low = PyLong_FromUnsignedLongLong((unsigned long long)value);
    PyObject *above = high && bits && low ? PyNumber_Lshift(high, bits) : NULL;
    PyObject *result = above ? PyNumber_Or(above, low) : NULL;
    Py_XDECREF(high); Py_XDECREF(bits); Py_XDECREF(low); Py_XDECREF(above);
    return result;
}

static __attribute__((unused)) double_int unbox_double_int(PyObject *object) {
    int overflow = 0;
    if (!PyLong_Check(object)) return CPyLong_AsInt64(object);  /* raises TypeError */
    long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (!overflow) return value;
    PyObject *bits = PyLong_FromLong(64), *above = bits ? PyNumber_Rshift(object, bits) : NULL;
    long long high = above ? PyLong_AsLongLong(above) : -1;
    Py_XDECREF(bits); Py_XDECREF(above);
    if (high == -1 && PyErr_Occurred()) return -113;  /* the value that tells mypyc's code to look for an error */
    return (double_int)high << 64 | PyLong_AsUnsignedLongLongMask(object);
}

static __attribute__((unused)) CPyTagged tag_double_int(double_int value) {
    PyObject *object = box_double_int(value);
    if (object == NULL) CPyError_OutOfMemory();
    return CPyTagged_StealFromObject(object);
}

#define PyLong_FromLongLong box_double_int
#define CPyLong_AsInt64 unbox_double_int
#define CPyLong_AsInt64_ unbox_double_int
#define CPyTagged_FromInt64 tag_double_int
#endif
#endif
"""
"""Declarations of the integers that replace mypyc's 64-bit integers in the library with sets of 128 bits."""
_report_stream = sys.stdout


def main(argument: str) -> None:
    """Compile the libraries of a plan in order, two units at a time."""
    global _report_stream
    _report_stream = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # mypyc prints errors to standard output
    Thread(target=_exit_with_parent, daemon=True).start()
    flags, libraries = ast.literal_eval(argument)
    extensions: dict[str, Any] = {}
    for i, library in enumerate(libraries):
        # Compile each library separately: if a class could have subclasses in another library, mypyc looks up each
        # attribute before reading it.
        compiled = mypycify(
            ["--config-file=", "--explicit-package-bases", *library["files"]],
            group_name=library["name"].removesuffix("__mypyc"),
            opt_level="3",
            debug_level="0",
            multi_file=True,
            include_runtime_files=True,
        )
        extensions |= {extension.name: extension for extension in compiled}
        if library["is_double"]:
            widen_integers(library["name"].removesuffix("__mypyc"), compiled)
        report("done", MYPYC_TIME_SHARE * (i + 1) / len(libraries))

    def build_extensions(command: Any) -> None:
        compile_all(command, flags, libraries, extensions)

    kind = type("Compile", (build_ext,), {"build_extensions": build_extensions})
    arguments = ["-q", "build_ext", "--build-lib", "out", "--build-temp", "tmp"]
    first = [extensions[libraries[0]["name"]]]
    setuptools.setup(name="engine", packages=[], py_modules=[], ext_modules=first, script_args=arguments,
                     cmdclass={"build_ext": kind})  # fmt: skip


def report(*words: object) -> None:
    """Send ``words`` to the parent process as a line."""
    print(*words, file=_report_stream, flush=True)


def widen_integers(group: str, extensions: list[Any]) -> None:
    """Replace the 64-bit integers in the C code that mypyc has generated for a library with 128-bit integers.

    ``group`` is mypyc's name of the library. The sizes and items of Python objects, which are read through pointers,
    keep their types.
    """
    own = _write_file(DOUBLE_HEADER, DOUBLE_DECLARATIONS)
    sources = [Path(source) for extension in extensions for source in extension.sources]
    for path in (*sources, *Path("build").glob(f"__native_*{group}.h")):
        text = path.read_text(encoding="utf-8").replace("*(int64_t *)", "*(Py_ssize_t *)")
        text = text.replace("uint64_t", "unsigned_double_int").replace("int64_t", "double_int")
        if path.suffix == ".h":
            text = text.replace("#include <CPy.h>", f'#include <CPy.h>\n#include "{own}"', 1)
        path.write_text(text, encoding="utf-8")


def _exit_with_parent() -> None:
    """Wait for the parent process to end for any reason, then kill this process and its compilers."""
    sys.stdin.read()
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def compile_all(
    command: Any, flags: list[str], libraries: list[dict[str, Any]], extensions: dict[str, Any]
) -> None:
    """Compile the units of all libraries in order, and link each library after its last unit."""
    compiler = command.compiler
    compiler.mkpath("out")
    compiler.mkpath("tmp")
    flags = [*flags, f"-include{_write_file('rare.h', COLD_ERROR_DECLARATIONS)}"]
    folders = extensions[libraries[0]["name"]].include_dirs
    if not has_double_integers(compiler):
        for library in libraries:
            if library["is_double"]:
                report("skipped", library["name"], "the C compiler has no 128-bit integers")
        libraries = [library for library in libraries if not library["is_double"]]
    taken = [
        flag for flag in flags if compiler.compiler_type == "unix" and accepts_flag(compiler, flag, folders)
    ]
    jobs = [
        (library["name"], *unit) for library in libraries for unit in compilation_units(library, extensions)
    ]
    weights = {job: RELATIVE_COST_BY_LEVEL[job[2]] * _source_size(job[1]) for job in jobs}
    whole, spent = sum(weights.values()), 0.0
    objects: dict[str, list[str]] = {library["name"]: [] for library in libraries}

    def run(job: tuple[str, str, str]) -> list[str]:
        name, file, level = job
        extension = extensions[name]
        given = [f"-O{level}" if flag == "-O3" else flag for flag in extension.extra_compile_args]
        done: list[str] = compiler.compile(
            [file],
            output_dir="tmp",
            include_dirs=[*extension.include_dirs, "."],
            extra_postargs=[*given, *taken],
        )
        return done

    with ThreadPoolExecutor(2) as pool:
        futures = {pool.submit(run, job): job for job in jobs}
        try:
            for future in as_completed(futures):
                job = futures[future]
                objects[job[0]] += future.result()
                spent += weights[job]
                report("done", MYPYC_TIME_SHARE + (1 - MYPYC_TIME_SHARE) * spent / whole)
                if len(objects[job[0]]) == sum(job[0] == other[0] for other in jobs):
                    link(command, extensions[job[0]], sorted(objects[job[0]]))
                    report("library", job[0])
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _source_size(file: str) -> int:
    text = Path(file).read_text(encoding="utf-8")
    included = [line.split('"')[1] for line in text.splitlines() if line.startswith('#include "')]
    if UNITS_FOLDER in file:
        return sum(Path(name).stat().st_size for name in included)
    return len(text)


def compilation_units(library: dict[str, Any], extensions: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the C files to compile for a library, each with its optimization level.

    All hot files are included in a single unit. The small files that mypyc generates to make each module importable are
    combined in another unit. Their init functions are renamed so that one library can contain all of them.
    """
    sources = [Path(source).as_posix() for source in extensions[library["name"]].sources]
    name = library["name"]
    hot = {f"__native_{module.replace('.', '___')}.c" for module in library["hot"]}
    own = f"__native_{name.removesuffix('__mypyc')}.c"
    hot.add(own)  # the other units call its code constantly
    together = [source for source in sources if Path(source).name in hot]
    # This one comes first, so that mypyc's runtime, which it includes, is compiled without our declarations.
    together.sort(key=lambda source: Path(source).name != own)
    apart = [source for source in sources if source not in together]
    result = [(_write_unit(f"{name}_hot", [f'#include "{source}"' for source in together]), HOT_LEVEL)]
    apart.sort(key=lambda source: -Path(source).stat().st_size)
    result += [(source, COLD_LEVEL) for source in apart]
    lines = []
    for module in library["modules"]:
        last = module.rpartition(".")[2]
        lines += [
            f"#define PyInit_{last} PyInit_{module.replace('.', '_')}",
            f"#define PyInit___init__ PyInit_{module.replace('.', '_')}___init__",
            f'#include "{Path(extensions[module].sources[0]).as_posix()}"',
            f"#undef PyInit_{last}",
            "#undef PyInit___init__",
        ]
    result.append((_write_unit(f"{name}_doors", lines), COLD_LEVEL))
    return result


def _write_unit(name: str, lines: list[str]) -> str:
    return _write_file(f"{name}.c", "".join(f"{line}\n" for line in lines))


def _write_file(name: str, text: str) -> str:
    folder = Path(UNITS_FOLDER)
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return f"{UNITS_FOLDER}/{name}"


def has_double_integers(compiler: Any) -> bool:
    """Return whether the C compiler has 128-bit integers."""
    tried = _write_file("double.c", "__int128 double_int;\n")
    try:
        compiler.compile([tried], output_dir="tried")
    except Exception:
        return False
    return True


def accepts_flag(compiler: Any, flag: str, include_dirs: list[str]) -> bool:
    """Return whether the C compiler accepts a flag for code that includes mypyc's headers.

    ``include_dirs`` are the directories searched for the headers.
    """
    tried = _write_file("tried.c", "#include <Python.h>\n#include <CPy.h>\n")
    try:
        compiler.compile(
            [tried],
            output_dir="tried",
            include_dirs=include_dirs,
            extra_preargs=["-Werror", flag],
            extra_postargs=["-Wno-all"],
        )
    except Exception:
        return False
    return True


def link(command: Any, extension: Any, objects: list[str]) -> None:
    """Link a library from its object files."""
    command.compiler.link_shared_object(
        objects,
        os.path.join("out", command.get_ext_filename(extension.name)),
        libraries=command.get_libraries(extension),
        library_dirs=extension.library_dirs,
        extra_postargs=extension.extra_link_args or [],
        export_symbols=command.get_export_symbols(extension),
        build_temp="tmp",
        target_lang="c",
    )


if __name__ == "__main__":
    main(sys.argv[1])
