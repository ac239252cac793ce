import {
  changeWorkspace,
  createWorkspace,
  deleteWorkspace,
  linkWorkspace,
  unlinkWorkspace,
  type Workspace,
} from '#shared/knowledge/workspaces/workspaces.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'

/** Creates a workspace; for a chat it is linked to it, and its `description` names the chat. */
export async function makeWorkspace(
  name: string,
  chat?: { id: string; description: string },
): Promise<Workspace> {
  const body = { name, ...(chat && { chat_session_id: chat.id, description: chat.description }) }
  return changed(call(createWorkspace, { body }))
}

export function renameWorkspace(workspaceId: string, name: string): Promise<Workspace> {
  return changed(call(changeWorkspace, { params: { workspaceId }, body: { name } }))
}

export async function removeWorkspace(workspaceId: string): Promise<void> {
  await changed(call(deleteWorkspace, { params: { workspaceId } }))
}

/** Links a workspace to a chat, or unlinks it. */
export async function setLinked(sessionId: string, workspaceId: string, isLinked: boolean): Promise<void> {
  const route = isLinked ? linkWorkspace : unlinkWorkspace
  await changed(call(route, { params: { sessionId, workspaceId } }))
}

async function changed<Result>(change: Promise<Result>): Promise<Result> {
  try {
    return await change
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['workspaces'] })
    // The chat's sources depend on its workspaces.
    await queryClient.invalidateQueries({ queryKey: ['documents', 'chat-library'] })
  }
}
