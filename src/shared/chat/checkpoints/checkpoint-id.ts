/** Returns the id of a checkpoint: `{run id}:{key}`. */
export const checkpointIdOf = ({ run_id, key }: { run_id: string; key: string }) => `${run_id}:${key}`

/** Splits a checkpoint id; returns null when it is malformed. */
export function readCheckpointId(id: string): { runId: string; key: string } | null {
  const [, runId, key] = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):(.+)$/s.exec(id) ?? []
  return runId && key ? { runId, key } : null
}
