"""Build process that runs mypyc and the C compiler in the current folder.

It is started as a script, by path. Its argument is the ``repr`` of the compiler flags and the result of
:func:`shibumi3d.build_native.compilation.plan_libraries`. It writes a line to standard output whenever it makes
progress or finishes a library; compiler messages go to standard error. It stops when its parent process does.
"""

from __future__ import annotations

import ast
import os
import re
import signal
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from threading import Thread
from typing import Any

import setuptools
from mypyc.build import mypycify
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

MYPYC_TIME_SHARE = 0.06
"""Estimated fraction of the build time that mypyc takes; the C compiler takes the rest."""
HOT_LEVEL, COLD_LEVEL = "3", "g"
"""Optimization levels (``-O``) for hot code and for all other code."""
RELATIVE_COST_BY_LEVEL = {HOT_LEVEL: 2.6, COLD_LEVEL: 1.0}
"""Relative compile time per byte of source at each optimization level."""
UNITS_FOLDER = "__units__"
COLD_ERROR_DECLARATIONS = """
#ifdef __cplusplus
extern "C" {
#endif
struct _object;
__attribute__((cold)) struct _object *PyErr_Occurred(void);
__attribute__((cold)) void PyErr_SetString(struct _object *, const char *);
__attribute__((cold)) void CPy_AddTraceback(const char *, const char *, int, struct _object *);
__attribute__((cold)) void CPy_AttributeError(
    const char *, const char *, const char *, const char *, int, struct _object *);
__attribute__((cold)) void CPy_TypeErrorTraceback(
    const char *, const char *, int, struct _object *, const char *, struct _object *);
#ifdef __cplusplus
}
#endif
"""
"""Declarations that mark the error paths in mypyc's code as cold.

mypyc generates an error check after almost every operation. With this hint, the C compiler moves the error paths out of
the way, and doesn't count them when it estimates a function's size for inlining.
"""
CPP_FLAGS = ("-std=gnu++17", "-fpermissive", "-w", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics")
"""Flags for C code compiled as C++; without exceptions and the like, no C++ runtime library is needed."""
TYPE_SLOTS = (
    "tp_name", "tp_basicsize", "tp_itemsize", "tp_dealloc", "tp_vectorcall_offset", "tp_getattr", "tp_setattr",
    "tp_as_async", "tp_repr", "tp_as_number", "tp_as_sequence", "tp_as_mapping", "tp_hash", "tp_call", "tp_str",
    "tp_getattro", "tp_setattro", "tp_as_buffer", "tp_flags", "tp_doc", "tp_traverse", "tp_clear", "tp_richcompare",
    "tp_weaklistoffset", "tp_iter", "tp_iternext", "tp_methods", "tp_members", "tp_getset", "tp_base", "tp_dict",
    "tp_descr_get", "tp_descr_set", "tp_dictoffset", "tp_init", "tp_alloc", "tp_new",
)  # fmt: skip
"""Fields of ``PyTypeObject``, in order."""
RUNTIME_FILE = "runtime.c"
"""File that includes mypyc's runtime, in a library that is otherwise compiled as C++."""
_RUNTIME_INCLUDES = re.compile(r"^#include <\w+\.c>\n", re.MULTILINE)
_TYPE_OBJECT = re.compile(r"(PyVarObject_HEAD_INIT\(NULL, 0\)\n)((?:.*\n)*?)(\};)")
_LOCAL_ARRAY = re.compile(r"^([ \t]+)((?:const )?\w+ \*?)(\w+)\[\d*\] = \{([^{};]*)\};$", re.MULTILINE)
_LOCAL_VARIABLE = re.compile(
    r"^([ \t]+)((?!return|goto|static)(?:const )?[A-Za-z_]\w* \*?)(\w+) = (\{[^{};\n]*\}|[^{};\n]*);$",
    re.MULTILINE,
)
_report_stream = sys.stdout


def main(argument: str) -> None:
    """Compile the planned libraries in order, two C files at a time.

    The module docstring describes ``argument``.
    """
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
        if library["integers"]:
            widen_integers(library["name"].removesuffix("__mypyc"), compiled, library["integers"])
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


def widen_integers(group: str, extensions: list[Any], integers: str) -> None:
    """Replace the 64-bit integers in the C code of a library with larger integers.

    The code was generated by mypyc. ``group`` is mypyc's name for the library, and ``extensions`` are its extension
    modules, whose lists of source files are updated. ``integers`` is the kind of integer: ``double`` for 128 bits, or
    ``triple`` for 192 bits. For ``triple``, the code is converted to C++. The sizes and items of Python objects, which
    the code reads through pointers, keep their types.
    """
    header = _write_file(f"{integers}_int.h", _header(integers))
    renamed = {}
    sources = [Path(source) for extension in extensions for source in extension.sources]
    for path in (*sources, *Path("build").glob(f"__native_*{group}.h")):
        text = path.read_text(encoding="utf-8").replace("*(int64_t *)", "*(Py_ssize_t *)")
        text = text.replace("uint64_t", f"unsigned_{integers}_int").replace("int64_t", f"{integers}_int")
        if path.suffix == ".h":
            text = text.replace("#include <CPy.h>", f'#include <CPy.h>\n#include "{header}"', 1)
        elif integers == "triple":
            runtime = "".join(_RUNTIME_INCLUDES.findall(text))
            if runtime:
                path.with_name(RUNTIME_FILE).write_text(runtime, encoding="utf-8")
                text = text.replace(runtime, "#include <CPy.h>\n")
            text = convert_to_cpp(text)
            renamed[path.as_posix()] = path = path.with_suffix(".cpp")
        path.write_text(text, encoding="utf-8")
    for extension in extensions:
        extension.sources = [
            renamed.get(Path(source).as_posix(), Path(source)).as_posix() for source in extension.sources
        ]
    if integers == "triple":
        extensions[0].sources.append(f"build/{RUNTIME_FILE}")


def _header(integers: str) -> str:
    return Path(__file__).with_name(f"{integers}_int.h").read_text(encoding="utf-8")


def convert_to_cpp(text: str) -> str:
    """Convert C code generated by mypyc to C++.

    C++ requires that the slots of a type object are initialized in order, and that no jump skips the initialization of
    a variable. With the flag ``-fpermissive``, the compiler accepts everything else that differs between the languages.
    """
    text = _TYPE_OBJECT.sub(_sort_slots, text)
    text = _LOCAL_ARRAY.sub(_split_array, text)
    return _LOCAL_VARIABLE.sub(r"\1\2\3; \3 = \4;", text)


def _sort_slots(found: re.Match[str]) -> str:
    slots: list[str] = []
    for line in found[2].splitlines(keepends=True):
        if line.lstrip().startswith(".tp_"):
            slots.append(line)
        else:
            slots[-1] += line  # continues the slot
    slots.sort(key=lambda slot: TYPE_SLOTS.index(slot.split()[0].removeprefix(".")))
    return found[1] + "".join(slots) + found[3]


def _split_array(found: re.Match[str]) -> str:
    """Return the declaration of a local array, followed by assignments to its items.

    An array of ``triple_int`` is put into a structure, because a jump may skip the declaration of a structure, but not
    that of such an array. This is possible because mypyc's code uses only the address of the array.
    """
    indent, kind, name, items = found.groups()
    values = [value.strip() for value in items.split(",") if value.strip()]
    array = f"{kind}{name}[{len(values)}];"
    if kind == "triple_int ":
        array, name = f"struct {{ triple_int items[{len(values)}]; }} {name};", f"{name}.items"
    return f"{indent}{array}{''.join(f' {name}[{i}] = {value};' for i, value in enumerate(values))}"


def _exit_with_parent() -> None:
    """Wait until the parent process ends, for whatever reason, then kill this process and its compilers.

    Standard input is a pipe that closes when the parent ends. The compilers are killed only if this process leads a
    process group, so not on Windows.
    """
    sys.stdin.read()
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def compile_all(
    command: Any, flags: list[str], libraries: list[dict[str, Any]], extensions: dict[str, Any]
) -> None:
    """Compile the libraries in order, two files at a time, and link each one when its files are compiled.

    ``command`` is the setuptools command that builds them. ``flags`` are optional flags; those that the compiler
    doesn't accept are left out. ``extensions`` holds mypyc's extension modules by name. A library is reported and
    skipped if the compiler lacks the integers that it needs, or if the C++ compiler rejects its code. Raises
    CompileError if a file of any other library can't be compiled.
    """
    compiler = command.compiler
    compiler.mkpath("out")
    compiler.mkpath("tmp")
    flags = [*flags, f"-include{_write_file('rare.h', COLD_ERROR_DECLARATIONS)}"]
    folders = extensions[libraries[0]["name"]].include_dirs
    for integers in ("double", "triple"):
        if not has_integers(compiler, integers, folders):
            for library in libraries:
                if library["integers"] == integers:
                    report("skipped", library["name"], "the C compiler has no integers of this size")
            libraries = [library for library in libraries if library["integers"] != integers]
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
            extra_postargs=[*given, *taken, *(CPP_FLAGS if file.endswith(".cpp") else ())],
        )
        return done

    as_cpp = {library["name"] for library in libraries if library["integers"] == "triple"}
    skipped: set[str] = set()
    with ThreadPoolExecutor(2) as pool:
        futures = {pool.submit(run, job): job for job in jobs}
        try:
            for future in as_completed(futures):
                job = futures[future]
                try:
                    objects[job[0]] += future.result()
                except CompileError:
                    if job[0] not in as_cpp:
                        raise
                    if job[0] not in skipped:
                        skipped.add(job[0])
                        report("skipped", job[0], "the C++ compiler rejects the code")
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
    """Return the C or C++ files to compile for a library, each with its optimization level.

    One file includes the code of all hot modules and the code that the modules of the library share. Another includes
    the small files that mypyc generates to make each module importable; their init functions are renamed so that one
    library can contain all of them. All other files are compiled on their own.
    """
    sources = [Path(source).as_posix() for source in extensions[library["name"]].sources]
    name, suffix = library["name"], Path(sources[0]).suffix
    hot = {f"__native_{module.replace('.', '___')}" for module in library["hot"]}
    own = f"__native_{name.removesuffix('__mypyc')}"
    hot.add(own)  # the other units call its code constantly
    together = [source for source in sources if Path(source).stem in hot]
    # This one comes first, so that mypyc's runtime, which it may include, is compiled without our declarations.
    together.sort(key=lambda source: Path(source).stem != own)
    apart = [source for source in sources if source not in together]
    result = [
        (_write_unit(f"{name}_hot{suffix}", [f'#include "{source}"' for source in together]), HOT_LEVEL)
    ]
    apart.sort(key=lambda source: -Path(source).stat().st_size)
    result += [(source, HOT_LEVEL if source.endswith(RUNTIME_FILE) else COLD_LEVEL) for source in apart]
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
    result.append((_write_unit(f"{name}_doors{suffix}", lines), COLD_LEVEL))
    return result


def _write_unit(name: str, lines: list[str]) -> str:
    return _write_file(name, "".join(f"{line}\n" for line in lines))


def _write_file(name: str, text: str) -> str:
    folder = Path(UNITS_FOLDER)
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return f"{UNITS_FOLDER}/{name}"


def has_integers(compiler: Any, integers: str, include_dirs: list[str]) -> bool:
    """Return whether the compiler supports a kind of large integer.

    ``integers`` is the kind: ``double`` for 128 bits, or ``triple`` for 192 bits; see :func:`widen_integers`. For
    ``triple``, the result is False for any compiler that isn't of the type ``unix``. ``include_dirs`` are the
    directories searched for Python's and mypyc's headers.
    """
    text = f"#include <Python.h>\n#include <CPy.h>\n{_header(integers)}\nstatic {integers}_int zero;\n"
    is_cpp = integers == "triple"
    if is_cpp and compiler.compiler_type != "unix":
        return False
    tried = _write_file(f"{integers}.cpp" if is_cpp else f"{integers}.c", text)
    try:
        compiler.compile(
            [tried],
            output_dir="tried",
            include_dirs=include_dirs,
            extra_postargs=[*CPP_FLAGS] if is_cpp else [],
        )
    except CompileError:
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
