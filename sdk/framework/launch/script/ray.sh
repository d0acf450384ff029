
# A Ray cluster over the nodes of this job, whose end ends it.
head=${SLURMD_NODENAME:-$(hostname -s)}
if [[ -z ${AWHOST_HEAD_ADDRESS:-} ]]; then
  for address in $(hostname --ip-address 2>/dev/null) $(hostname -I 2>/dev/null); do
    case $address in 127.* | *:*) ;; *) AWHOST_HEAD_ADDRESS=$address && break ;; esac
  done
fi
if [[ -z ${AWHOST_HEAD_ADDRESS:-} ]]; then
  echo "awhost job: $head has no address that other nodes reach: set AWHOST_HEAD_ADDRESS in a setup line" >&2
  exit 69
fi
port=$((20000 + SLURM_JOB_ID % 12000))
processors=${SLURM_CPUS_PER_TASK:-${SLURM_CPUS_ON_NODE:-1}}
step=(srun --overlap --ntasks-per-node=1 --cpus-per-task="$processors" --kill-on-bad-exit=1)
ray=("$python" -m ray.scripts.scripts)

export RAY_raylet_start_wait_time_s=${RAY_raylet_start_wait_time_s:-120} # Ray's 30 s are short where Python lies on a slow disk

# together N PID...: returns when N nodes are in the cluster, and ends the job when one of the processes ends before.
together() {
  local wanted=$1 watcher
  shift
  "$python" - "$wanted" <<'PY' &
import sys, time
import ray

wanted, alive = int(sys.argv[1]), 0
ray.init(address="auto", log_to_driver=False)
for _ in range(300):
    alive = sum(node["Alive"] for node in ray.nodes())
    if alive >= wanted:
        sys.exit(0)
    time.sleep(1)
sys.exit(f"awhost job: {alive} of {wanted} nodes have joined Ray's head within 300 s")
PY
  watcher=$!
  if ! wait -n "$watcher" "$@" || kill -0 "$watcher" 2>/dev/null; then
    echo "awhost job: Ray did not come up on $wanted of $nodes nodes" >&2
    exit 69
  fi
}

export RAY_ADDRESS="$AWHOST_HEAD_ADDRESS:$port"
"${step[@]}" --nodes=1 --ntasks=1 --nodelist="$head" "${ray[@]}" start --head --node-ip-address="$AWHOST_HEAD_ADDRESS" --port="$port" \
  --include-dashboard=false --disable-usage-stats --block "${ray_start[@]}" &
first=$!
for ((second = 0; ; second++)); do
  (: <"/dev/tcp/$AWHOST_HEAD_ADDRESS/$port") 2>/dev/null && break
  if ((second >= 300)) || ! kill -0 "$first" 2>/dev/null; then
    echo "awhost job: Ray's head on $head does not listen on $AWHOST_HEAD_ADDRESS:$port after $second s" >&2
    exit 69
  fi
  sleep 1
done
together 1 "$first"

"${step[@]}" --nodes=$((nodes - 1)) --ntasks=$((nodes - 1)) --exclude="$head" "${ray[@]}" start --address="$RAY_ADDRESS" \
  --disable-usage-stats --block "${ray_start[@]}" &
together "$nodes" "$first" $! # the trainer counts GPUs once, when it begins: all nodes must be there
