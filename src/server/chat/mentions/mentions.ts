import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { listMentionable, type Mention, type NamedMention } from '#shared/chat/messages/mentions.ts'
import { AppError } from '#shared/platform/errors.ts'
import { Id } from '#shared/platform/primitives.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { QuotedChat } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { findAssistant } from '../assistants/assistants.ts'
import { findColleague, findMentionable, readEnd } from './store.ts'

/** Serves the people whom a message may mention. */
export function serveMentions(server: Server, { db }: Deps): void {
  serve(server, listMentionable, {
    handle: async ({ params: { sessionId }, query: { q = '', limit }, user }) => {
      const words = q.split(/\s+/).filter((word) => word !== '')
      return { items: await findMentionable(db, { userId: user.id, sessionId, words, limit }) }
    },
  })
}

/** Maximum characters quoted from all chats of a message. */
const MAX_QUOTED = 24_000

/** Mentioned things that the person may use now. */
export type Mentioned = {
  assistant: Assistant | null
  documents: string[]
  workspaces: string[]
  tools: string[]
  chats: QuotedChat[]
  named: NamedMention[]
}

/**
 * Reads what a message names. @throws AppError `not_found`, `forbidden` or `not_granted` for what the person may not use, `invalid` for two
 * assistants or an id that is none
 */
export async function readMentions(
  deps: Deps,
  user: Caller,
  mentions: readonly Mention[],
): Promise<Mentioned> {
  const found: Mentioned = { assistant: null, documents: [], workspaces: [], tools: [], chats: [], named: [] }
  const quoted = mentions.filter(({ kind }) => kind === 'session').length
  for (const mention of mentions) {
    if (found.named.some(({ kind, id }) => kind === mention.kind && id === mention.id)) continue
    found.named.push({ ...mention, name: await readOne(deps, user, mention, found, quoted) })
  }
  return found
}

/** Adds one mention to those found and returns its name. */
async function readOne(
  deps: Deps,
  user: Caller,
  { kind, id }: Mention,
  found: Mentioned,
  quoted: number,
): Promise<string> {
  if (kind === 'tool') {
    const tool = await deps.tools.find(id, user.id)
    if (!tool) throw new AppError('not_available', `The tool ${id} is not available.`)
    found.tools.push(id)
    return tool.contract.name
  }
  if (kind === 'assistant') {
    if (found.assistant) throw new AppError('invalid', 'One assistant answers a message. Name only one.')
    found.assistant = await findAssistant(deps, user, id)
    return found.assistant.name
  }
  if (!Id.safeParse(id).success)
    throw new AppError('invalid', 'The message names something by an invalid id.')
  if (kind === 'person') {
    const name = await findColleague(deps.db, user, id)
    if (name === null) throw new AppError('not_found', 'You share no project with this person.')
    return name
  }
  if (kind === 'session') {
    const { title, active_leaf } = await findAllowed(deps.db, user, 'read session', id)
    const text = active_leaf ? await readEnd(deps.db, active_leaf, Math.floor(MAX_QUOTED / quoted)) : ''
    found.chats.push({ title, text })
    return title
  }
  const { name } = await findAllowed(deps.db, user, `read ${kind}`, id)
  found[kind === 'document' ? 'documents' : 'workspaces'].push(id)
  return name
}
