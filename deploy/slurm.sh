#!/bin/bash
# Sixteen workers on a SLURM cluster, until the queue is empty:
#   POSTERITY_ARCHIVE=postgresql://user@host/name sbatch deploy/slurm.sh
#SBATCH --job-name=posterity
#SBATCH --array=1-16
#SBATCH --cpus-per-task=2
#SBATCH --mem=8G
#SBATCH --time=24:00:00
#SBATCH --signal=TERM@120
#SBATCH --requeue
set -euo pipefail
: "${POSTERITY_ARCHIVE:?set POSTERITY_ARCHIVE to postgresql://user@host/name}"
exec posterity fleet worker --until-empty --slots 4 --memory 1800 \
  --name "$(hostname)-${SLURM_ARRAY_JOB_ID:-0}-${SLURM_ARRAY_TASK_ID:-0}" \
  --spool "${SLURM_TMPDIR:-${TMPDIR:-/tmp}}/posterity-${SLURM_ARRAY_TASK_ID:-0}"
