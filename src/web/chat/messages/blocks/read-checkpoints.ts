import { type Checkpoint, listCheckpoints, renameCheckpoint } from '#shared/chat/checkpoints/checkpoints.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'

const LIMIT = 1000

export function readCheckpoints(sessionId: string, signal: AbortSignal): Promise<Checkpoint[]> {
  return call(listCheckpoints, { params: { sessionId }, query: { limit: LIMIT }, signal })
}

export function readNamedCheckpoints(sessionId: string, signal: AbortSignal): Promise<Checkpoint[]> {
  return call(listCheckpoints, { params: { sessionId }, query: { limit: LIMIT, named: 'true' }, signal })
}

/** Names a checkpoint; null removes the name. Every list shows it immediately. */
export async function nameCheckpoint(id: string, label: string | null): Promise<void> {
  const renamed = await call(renameCheckpoint, { params: { checkpointId: id }, body: { label } })
  queryClient.setQueriesData<Checkpoint[]>(
    { queryKey: ['checkpoints'], predicate: ({ queryKey }) => queryKey[2] === undefined },
    (list) => list?.map((item) => (item.id === id ? renamed : item)),
  )
  queryClient.setQueriesData<Checkpoint[]>(
    { queryKey: ['checkpoints'], predicate: ({ queryKey }) => queryKey[2] === 'named' },
    (list) => list && [...list.filter((item) => item.id !== id), ...(renamed.label ? [renamed] : [])],
  )
}
