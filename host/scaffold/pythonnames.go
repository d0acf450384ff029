package scaffold

import (
	"fmt"
	"slices"
	"strings"
)

// pythonModules lists the standard library modules in Python 3.10 to 3.13 with names that a plugin could have: the
// names in sys.stdlib_module_names with lower-case letters, digits and single underscores.
const pythonModules = `
abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii binhex bisect builtins bz2
calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent configparser contextlib
contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings
ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass
gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools
json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt
multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle
pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc
pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex
shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics
string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this
threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata
unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport
zlib zoneinfo
`

// pythonKeywords lists the Python 3.10 to 3.13 keywords that start with a lower-case letter (keyword.kwlist).
const pythonKeywords = "and as assert async await break class continue def del elif else except finally for from global if import in is lambda " +
	"nonlocal not or pass raise return try while with yield"

// sdkModules lists the top-level modules that the SDK imports.
const sdkModules = "google grpc"

// checkPythonModule rejects module names that cannot be imported or that would shadow other modules.
func checkPythonModule(what, module string) error {
	has := func(list string) bool { return slices.Contains(strings.Fields(list), module) }
	why := ""
	switch {
	case has(pythonKeywords):
		why = "is a Python keyword"
	case has(pythonModules):
		why = "it is a module of Python's standard library, with which it would conflict"
	case has(sdkModules), strings.HasPrefix(module, "awhost"):
		why = "it is a module of the SDK"
	default:
		return nil
	}
	return fmt.Errorf("%s in Python cannot be named %q: %s. Use a longer name, such as "+
		"my-%s", what, module, why, strings.ReplaceAll(module, "_", "-"))
}
