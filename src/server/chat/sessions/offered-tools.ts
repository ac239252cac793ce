import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import * as contract from '#shared/chat/sessions/sessions.ts'
import { AppError } from '#shared/platform/errors.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import type { LoadedTool } from '../../tools/tools/tools.ts'
import { findChatAssistant } from '../assistants/assistants.ts'
import { changeMetadata } from './store.ts'

type SessionRow = { id: string; session_metadata: Record<string, unknown> }

/** Returns the tools a session names, which may be none, else the assistant's; null for the default. */
export function chosenTools(
  { session_metadata }: Pick<SessionRow, 'session_metadata'>,
  assistant: Pick<Assistant, 'tools'> | null,
): string[] | null {
  const chosen = session_metadata.session_tools
  return Array.isArray(chosen) ? chosen : (assistant?.tools ?? null)
}

/** Returns whether a tool is offered by default. Tools shared by others are not, because every description reaches the model. */
export function isUsual(
  { made }: Pick<LoadedTool, 'made'>,
  { id, kind }: Pick<Caller, 'id' | 'kind'>,
): boolean {
  return made === undefined || (kind !== 'visitor' && made.userId === id)
}

/** Serves the tools that a session offers to its model. */
export function serveOfferedTools(server: Server, deps: Deps): void {
  const read = async (user: Caller, sessionId: string) => {
    const session = await findAllowed(deps.db, user, 'read session', sessionId)
    const assistant = await findChatAssistant(deps, user, session)
    const chosen = chosenTools(session, assistant)
    const all = await deps.tools.load(user.id)
    const offered = all.filter((tool) => (chosen ? chosen.includes(tool.contract.id) : isUsual(tool, user)))
    return { all, tool_ids: offered.map(({ contract: { id } }) => id) }
  }
  serve(server, contract.getSessionTools, {
    handle: async ({ params, user }) => {
      const { tool_ids } = await read(user, params.sessionId)
      return { tool_ids }
    },
  })
  serve(server, contract.offerSessionTool, {
    handle: async ({ params, user, body: { tool_id, is_offered } }) => {
      const { all, tool_ids } = await read(user, params.sessionId)
      if (!all.some(({ contract: { id } }) => id === tool_id))
        throw new AppError('not_found', `There is no tool ${tool_id}.`)
      const others = tool_ids.filter((id) => id !== tool_id)
      const session_tools = is_offered ? [...others, tool_id] : others
      await changeMetadata(deps, params.sessionId, { session_tools })
      return { tool_ids: session_tools }
    },
  })
}
