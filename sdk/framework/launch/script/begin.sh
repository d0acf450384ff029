umask 077
cd "$dir" || { echo "awhost job: $(hostname) does not see $dir, which must be on a file system that all nodes share" >&2; exit 72; }

# One job of a launch trains. Another one, which a lost answer of Slurm may have made, must not.
if ! mkdir slurm.started 2>/dev/null; then
  echo "awhost job: Slurm job $(cat slurm.job 2>/dev/null) is this launch's; job $SLURM_JOB_ID ends" >&2
  exit 75
fi

# write FILE WORD: whoever reads the file sees all of it or nothing.
write() { printf '%s\n' "$2" >"$1.new" && mv "$1.new" "$1"; }

ended() {
  local code=$?
  trap - EXIT
  write slurm.exit "$code"
  if [[ -n ${own_ray:-} ]] && [[ $code == 0 || -n ${stopped:-} || -z $(ls -A "$own_ray") ]]; then
    rm -rf "$own_ray" # after a failure Ray's logs in it may tell why
  fi
  exit "$code"
}
trap ended EXIT
write slurm.job "$SLURM_JOB_ID"

# Steps get all variables of this script, not only those that the submission exported.
unset SLURM_EXPORT_ENV

# Ray keeps the address of the last cluster of a machine in its folder, and joins that: a job's folder is its own.
if [[ -z ${RAY_TMPDIR:-} ]]; then
  own_ray=$(mktemp -d /tmp/awhost-ray-XXXXXX) # short: Ray makes sockets in it
  export RAY_TMPDIR=$own_ray
fi
