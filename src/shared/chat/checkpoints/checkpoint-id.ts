/** A checkpoint's id: `{run id}:{key}` */
export const checkpointIdOf = ({ run_id, key }: { run_id: string; key: string }) => `${run_id}:${key}`

/** The parts of a checkpoint's id; null for what is none. */
export function readCheckpointId(id: string): { runId: string; key: string } | null {
  const [, runId, key] = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):(.+)$/s.exec(id) ?? []
  return runId && key ? { runId, key } : null
}
