#!/usr/bin/env bash
# Compares results with a baseline, writes the job summary, and updates the pull request's comment.
# Reads CANDIDATE, BASELINE or BASELINE_REF, MARGIN, FAIL_ON, ARGUMENTS, COMMENT, PULL_REQUEST from the environment.
set -euo pipefail

work=$(mktemp -d "${RUNNER_TEMP:-/tmp}/deadheat.XXXXXX")
baseline=${BASELINE:-}
if [[ -z $baseline ]]; then
  if [[ -z ${BASELINE_REF:-} ]]; then
    echo "::error::give the action a baseline or a baseline-ref" >&2
    exit 2
  fi
  mkdir "$work/baseline"
  if ! git archive "$BASELINE_REF" -- "$CANDIDATE" | tar -x -C "$work/baseline"; then
    echo "::error::$BASELINE_REF has no $CANDIDATE; is the history fetched (fetch-depth: 0)?" >&2
    exit 2
  fi
  baseline=$work/baseline/$CANDIDATE
fi

options=()
[[ -n ${MARGIN:-} ]] && options+=(--margin "$MARGIN")
[[ -n ${FAIL_ON:-} && $FAIL_ON != nothing ]] && options+=(--fail-on "$FAIL_ON")
read -r -a further <<<"${ARGUMENTS:-}"

code=0
deadheat compare "candidate=$CANDIDATE" "baseline=$baseline" ${options[@]+"${options[@]}"} \
  ${further[@]+"${further[@]}"} --json -o "$work/comparison.json" --comment "$work/comment.md" || code=$?
if [[ $code != 0 && $code != 3 ]]; then
  echo "::error::deadheat could not compare $CANDIDATE with its baseline" >&2
  exit "$code"
fi

cat "$work/comment.md" >>"${GITHUB_STEP_SUMMARY:-/dev/stdout}"
{
  echo "failed=$([[ $code == 3 ]] && echo true || echo false)"
  echo "json=$work/comparison.json"
  echo "markdown=$work/comment.md"
  echo "summary=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["summary"].replace("\n", " "))' "$work/comparison.json")"
} >>"${GITHUB_OUTPUT:-/dev/null}"

if [[ ${COMMENT:-false} == true && -n ${PULL_REQUEST:-} ]]; then
  marker=$(head -n 1 "$work/comment.md")
  comments="repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments"
  id=$(gh api --paginate "$comments" --jq ".[] | select(.body | startswith(\"$marker\")) | .id" | head -n 1)
  if [[ -n $id ]]; then
    gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F "body=@$work/comment.md" >/dev/null
  else
    gh api --method POST "$comments" -F "body=@$work/comment.md" >/dev/null
  fi
fi
exit "$code"
