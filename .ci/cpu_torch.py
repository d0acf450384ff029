"""Lets the CUDA build of torch be imported where no CUDA library is installed.

    python cpu_torch.py FOLDER       the folder that torch is installed in, such as VENV/lib/python3.11/site-packages

The libraries of torch name others that pip would bring in packages of some gigabytes, and call nothing of them on a machine
without a GPU. For each that is missing this makes a library of that name in which every function answers 100, CUDA's "no
device", so that torch says in an exception that there is no GPU if it is asked for one. It needs readelf and a C compiler;
where torch is a build for the processor it makes nothing.
"""

import collections
import glob
import os
import re
import subprocess
import sys
import tempfile

NO_DEVICE = 100

# How the functions of these libraries are called. Anything else without a version belongs to a library that is there: made up
# here, __gxx_personality_v0 would replace the real one, and every C++ exception would end the process.
CUDA = re.compile(r"cu[A-Z]|cu(blas|da|dnn|fft|pti|rand|solver|sparse)|nccl|nv(JitLink|ml|rtc|shmem|tx)|__cuda")

# Functions whose answer is not a status. The first two are asked after every failure: if they failed as well, torch would
# throw while it throws, and the process would end with abort().
OTHERS = {
    "cudaGetLastError": "int cudaGetLastError(void) { return 0; }",
    "cudaPeekAtLastError": "int cudaPeekAtLastError(void) { return 0; }",
    "cudaGetErrorName": 'const char *cudaGetErrorName(int e) { return "cudaErrorNoDevice"; }',
    "cudaGetErrorString": 'const char *cudaGetErrorString(int e) { return "no CUDA here, only stand-ins for its libraries"; }',
    "cudnnGetErrorString": 'const char *cudnnGetErrorString(int e) { return "no cuDNN here, only a stand-in"; }',
    "ncclGetErrorString": 'const char *ncclGetErrorString(int e) { return "no NCCL here, only a stand-in"; }',
    "ncclGetLastError": 'const char *ncclGetLastError(void *c) { return "no NCCL here, only a stand-in"; }',
}


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


def function(name):
    return OTHERS.get(name, f"long {name}(void) {{ return {NO_DEVICE}; }}") + "\n"


def build(path, names, version):
    """Compiles a library with functions of these names."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "stub.c")
        with open(source, "w") as f:
            f.write("int awhost_stub(void) { return 1; }\n")
            f.writelines(function(name) for name in sorted(names))
        command = ["cc", "-w", "-fno-builtin", "-shared", "-fPIC", "-o", path, f"-Wl,-soname,{os.path.basename(path)}", source]
        if version:
            script = os.path.join(folder, "version.map")
            with open(script, "w") as f:
                f.write(f"{version} {{ global: *; }};\n")
            command.append(f"-Wl,--version-script={script}")
        subprocess.run(command, check=True)


def main(installed):
    folder = os.path.join(installed, "torch", "lib")
    libraries = glob.glob(os.path.join(folder, "*.so*"))
    if not libraries:
        sys.exit(f"{folder} has no libraries: name the folder that torch is installed in")
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
            elif version is None and CUDA.match(name):
                plain.add(name)
    for name in sorted(missing):
        sets = versioned.get(name)
        if sets and len(sets) > 1:
            sys.exit(f"{name} is asked for in {len(sets)} versions: this cannot be made up; install the CUDA packages")
        version, names = next(iter(sets.items())) if sets else (None, plain - defined)
        build(os.path.join(folder, name), names, version)
        print(f"{name}: {len(names)} functions that answer {NO_DEVICE}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
