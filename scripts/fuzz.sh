#!/bin/sh
# Runs the fuzz targets; lies beside their executable in the bundle that tests/fuzz/bundle.py makes.
#
#   fuzz.sh runs N [TARGET…]         each target N times on its seeds and what comes of them
#   fuzz.sh minutes M [TARGET…]      all targets at once for M minutes, the cores shared out
#   fuzz.sh replay FILE TARGET       one input again
#
# What is found goes to $OUT (default: out/ beside this script): OUT/crashes/TARGET-…, new inputs in
# OUT/corpus/TARGET/, libFuzzer's log of each process in OUT/log/, and a table in OUT/table.tsv.
# Exit 1 when a target failed. TIMEOUT: seconds that one input may take (20), more where others use
# the machine too.
set -u
HERE=$(cd "$(dirname "$0")" && pwd)
OUT=${OUT:-$HERE/out}
LOADER=$(ls "$HERE"/lib/ld-linux-*.so.* 2>/dev/null | head -1)
export ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=1024:${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="print_stacktrace=1:${UBSAN_OPTIONS:-}"

fuzz() {
  # With the C library of the machine that built it, where the bundle has one.
  if [ -n "$LOADER" ]; then
    "$LOADER" --library-path "$HERE/lib" "$HERE/fuzz" "$@"
  else
    "$HERE/fuzz" "$@"
  fi
}

run() { # TARGET PROCESS OPTION…
  target=$1 process=$2
  shift 2
  mkdir -p "$OUT/corpus/$target" "$OUT/crashes" "$OUT/log"
  # 64 KiB that take 20 s, sanitizers and a loaded machine included, are a fault. In a shell of its
  # own, so that `times` counts this process alone.
  (
    fuzz "$target" -timeout="${TIMEOUT:-20}" -rss_limit_mb=3072 -max_len=65536 -use_value_profile=0 -reload=30 \
      -dict="$HERE/dict/$target.dict" -artifact_prefix="$OUT/crashes/$target-" \
      -print_final_stats=1 "$@" "$OUT/corpus/$target" "$HERE/corpus/$target" \
      >"$OUT/log/$target-$process.log" 2>&1
    echo $? >"$OUT/log/$target-$process.exit"
    times >"$OUT/log/$target-$process.times"
  )
}

table() { # a line a target: processes (restarts too), processor seconds, executions, edges, features, corpus, failures
  printf 'target\tprocesses\tseconds\texecutions\tedges\tfeatures\tcorpus\tfailures\n' >"$OUT/table.tsv"
  failed=0
  for target in $TARGETS; do
    logs=$(ls "$OUT"/log/"$target"-*.log)
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' $logs | awk '{s += $1} END {print s + 0}')
    edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' $logs | sort -n | tail -1)
    features=$(sed -n 's/.* ft: \([0-9]*\) .*/\1/p' $logs | sort -n | tail -1)
    seconds=$(tail -qn 1 "$OUT"/log/"$target"-*.times | tr 'ms' '  ' | awk '{s += $1 * 60 + $2 + $3 * 60 + $4} END {printf "%.0f", s}')
    # A process whose shell was killed has no .exit file: a failure too.
    bad=$(for log in "$OUT"/log/"$target"-*.log; do cat "${log%.log}.exit" 2>/dev/null || echo none; done | grep -vc '^0$')
    [ "$bad" -eq 0 ] || failed=1
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$target" "$(echo "$logs" | wc -l)" "$seconds" "$executions" \
      "${edges:-0}" "${features:-0}" "$(ls "$OUT/corpus/$target" | wc -l)" "$bad" >>"$OUT/table.tsv"
  done
  cat "$OUT/table.tsv"
  for log in "$OUT"/log/*.log; do
    exit=$(cat "${log%.log}.exit" 2>/dev/null || echo none)
    [ "$exit" = 0 ] || { echo "== $log: exit $exit"; grep -aE 'ERROR|broken promise|runtime error|SUMMARY|Test unit written' "$log" | head -20; }
  done
  return $failed
}

MODE=${1:-} AMOUNT=${2:-}
[ $# -ge 2 ] || { sed -n '2,11p' "$0"; exit 2; }
shift 2
if [ "$MODE" = replay ]; then
  fuzz "$1" "$AMOUNT"
  exit
fi
TARGETS=${*:-$(ls "$HERE/corpus")}
rm -rf "$OUT/log"
case $MODE in
  runs)
    for target in $TARGETS; do run "$target" 0 -runs="$AMOUNT" -seed=1; done ;;
  minutes)
    cores=$(nproc)
    number=$(echo $TARGETS | wc -w)
    share=$(((cores + number - 1) / number))
    for target in $TARGETS; do
      worker=0
      while [ $worker -lt $share ]; do
        # A process that ends with a fault is started again until the time is over.
        (
          end=$(($(date +%s) + AMOUNT * 60)) part=0
          while left=$((end - $(date +%s))) && [ $left -gt 2 ] && [ $part -lt 50 ]; do
            run "$target" "$worker.$part" -max_total_time=$left
            part=$((part + 1))
          done
        ) &
        worker=$((worker + 1))
      done
    done
    wait ;;
  *) sed -n '2,11p' "$0"; exit 2 ;;
esac
table
