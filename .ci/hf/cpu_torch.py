"""Lets the CUDA build of torch be imported where no CUDA library is installed.

    python cpu_torch.py VENV

The libraries of torch name others that pip would bring in packages of some gigabytes, and call nothing of them on a machine
without a GPU. For each that is missing this makes a library of that name in which every function answers 100, CUDA's "no
device". It needs readelf and a C compiler; where torch is a build for the processor it makes nothing.
"""

import collections
import glob
import os
import re
import subprocess
import sys
import tempfile

NO_DEVICE = 100


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def needed(library):
    """The names of the libraries that one is linked with."""
    return re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "-dW", library))


def versions(library):
    """Which library a symbol version is from: {"libcublas.so.13": "libcublas.so.13"}."""
    found, file = {}, None
    for line in output("readelf", "-VW", library).splitlines():
        if match := re.search(r"Version: \d+\s+File: (\S+)", line):
            file = match[1]
        elif file and (match := re.search(r"Name: (\S+)\s+Flags", line)):
            found[match[1]] = file
    return found


def symbols(library):
    """(name, version or None, is it defined here) of each dynamic symbol."""
    for line in output("readelf", "--dyn-syms", "-W", library).splitlines():
        fields = line.split()
        if len(fields) < 8 or not fields[0].rstrip(":").isdigit():
            continue
        name, _, version = fields[7].partition("@")
        yield name, version.lstrip("@") or None, fields[6] != "UND"


def build(path, names, version):
    """Compiles a library with functions of these names."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "stub.c")
        with open(source, "w") as f:
            f.write("int awhost_stub(void) { return 1; }\n")
            f.writelines(f"long {name}(void) {{ return {NO_DEVICE}; }}\n" for name in sorted(names))
        command = ["cc", "-w", "-fno-builtin", "-shared", "-fPIC", "-o", path, f"-Wl,-soname,{os.path.basename(path)}", source]
        if version:
            script = os.path.join(folder, "version.map")
            with open(script, "w") as f:
                f.write(f"{version} {{ global: *; }};\n")
            command.append(f"-Wl,--version-script={script}")
        subprocess.run(command, check=True)


def main(venv):
    (folder,) = glob.glob(os.path.join(venv, "lib", "python*", "site-packages", "torch", "lib"))
    libraries = glob.glob(os.path.join(folder, "*.so*"))
    present = {os.path.basename(path) for path in libraries}
    present |= set(re.findall(r"^\s+(\S+) \(", output("ldconfig", "-p"), re.M))
    missing = {name for library in libraries for name in needed(library)} - present
    versioned = collections.defaultdict(lambda: collections.defaultdict(set))  # names by library and version
    plain, defined = set(), set()  # a name without a version may be from any library
    for library in libraries:
        origin = versions(library)
        for name, version, here in symbols(library):
            if here:
                defined.add(name)
            elif origin.get(version) in missing:
                versioned[origin[version]][version].add(name)
            elif version is None and not re.match(r"_?Py|_ITM_|__gmon|__cxa|_Z", name):
                plain.add(name)
    for name in sorted(missing):
        sets = versioned.get(name)
        if sets and len(sets) > 1:
            sys.exit(f"{name} is asked for in {len(sets)} versions: this cannot be made up; install the CUDA packages")
        version, names = next(iter(sets.items())) if sets else (None, plain - defined)
        build(os.path.join(folder, name), names, version)
        print(f"{name}: {len(names)} functions that answer {NO_DEVICE}")


if __name__ == "__main__":
    main(sys.argv[1])
