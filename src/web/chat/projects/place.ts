import { type ChatPlace, MAX_MOVED, placeChats } from '#shared/chat/projects/projects.ts'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { call } from '../../platform/lib/api/call.ts'
import { loadUndo, refreshHead, refreshSession } from '../../runs/sessions/sessions.ts'
import { readProjectsAgain } from './use-projects.ts'

/** Stores new places of chats and shows them. @throws ApiError */
async function place(items: readonly ChatPlace[]): Promise<void> {
  for (let at = 0; at < items.length; at += MAX_MOVED)
    await call(placeChats, { body: { items: items.slice(at, at + MAX_MOVED) } })
  refreshHead()
  for (const { session_id } of items.slice(0, 20)) refreshSession(session_id)
  await readProjectsAgain()
}

const placeOf = ({ id, project }: Session): ChatPlace => ({
  session_id: id,
  workspace_id: project?.id ?? null,
  is_shared: project?.is_shared ?? false,
})

/** Moves chats into a project, or out of theirs, and offers to undo it. @throws ApiError */
export async function moveChats(sessions: readonly Session[], to: string | null): Promise<void> {
  const moved = sessions.filter(({ project }) => (project?.id ?? null) !== to)
  const before = moved.map(placeOf)
  if (before.length === 0) return
  await place(moved.map(({ id }) => ({ session_id: id, workspace_id: to })))
  const { offerUndo } = await loadUndo()
  offerUndo({ kind: 'placed', count: before.length, undo: () => place(before) })
}

/** Shares a chat with its project, or ends that. @throws ApiError */
export const shareChat = (sessionId: string, is_shared: boolean) =>
  place([{ session_id: sessionId, is_shared }])
