
# Slurm's TERM becomes an interrupt for the trainer, as a person would send it: then Ray takes its processes down.
trap 'stopped=1; kill -INT -- "-$trainer" 2>/dev/null' TERM INT
while :; do
  wait "$trainer"
  code=$?
  kill -0 "$trainer" 2>/dev/null || break # else it was the signal that ended the wait
done
exit "$code"
