import type {
  Assistant,
  ListedAssistant,
  listAssistants as route,
} from '#shared/chat/assistants/assistants.ts'
import { builtInAssistants } from '#shared/chat/assistants/built-in.ts'
import { leadingTypes, MAX_TEAM } from '#shared/chat/sessions/sessions.ts'
import { AppError } from '#shared/platform/errors.ts'
import { Id } from '#shared/platform/primitives.ts'
import type { Call, Caller } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { findOwnPublished, findRows, listOwn, listShared } from './store.ts'
import { toAssistant } from './to-assistant.ts'

/**
 * Returns a page of the assistants a user may use: own ones newest first, then built-in ones, then shared ones. Shares
 * never change the position of own ones.
 * @throws AppError `not_found` when the cursor's assistant is deleted
 */
export async function listAssistants(
  { db, grants }: Pick<Platform, 'db' | 'grants'>,
  user: Caller,
  { after, limit }: Call<typeof route>['query'],
): Promise<ListedAssistant[]> {
  const closed = await grants.closedTo(user.id)
  const without = closed.ids('assistant')
  const builtIn = builtInAssistants(user.language).map(withoutLong)
  const at = builtIn.findIndex(({ id }) => id === after)
  const row = after && at < 0 ? await findPlace(db, user, after) : null
  const isShared = row !== null && row.user_id !== user.id
  const own = isShared || at >= 0 ? [] : await listOwn(db, user, { after: row?.id ?? null, limit, without })
  const before = [
    ...own.map((one) => toAssistant(one, user)),
    ...(isShared ? [] : builtIn.slice(at + 1).filter(({ id }) => !closed.has('assistant', id))),
  ]
  if (own.length === limit || before.length >= limit) return before.slice(0, limit)
  const rest = { after: isShared ? row.id : null, limit: limit - before.length, without }
  return [...before, ...(await listShared(db, user, rest)).map((one) => toAssistant(one, user))]
}

async function findPlace(db: Platform['db'], user: Caller, id: string) {
  const [row] = await findRows(db, user, [id])
  if (row) return row
  throw new AppError('not_found', 'The assistant to go on after is gone. Read the list from its beginning.')
}

/**
 * Returns the assistants an orchestrator may delegate to: those chosen for the chat, else built-in ones and the user's newest.
 * Shared ones are never offered unasked, because their description becomes part of a prompt.
 */
export async function offerAssistants(
  { db, grants }: Pick<Platform, 'db' | 'grants'>,
  user: Caller,
  chosen: string[],
): Promise<Assistant[]> {
  const named = await findAssistants({ db, grants }, user, chosen)
  const offered = named.filter(canWork)
  if (offered.length > 0) return offered
  const own = await findOwnPublished(db, user, MAX_TEAM)
  const all = [...builtInAssistants(user.language), ...own.map((row) => toAssistant(row, user))]
  const closed = await grants.closedTo(user.id)
  return all.filter((one) => canWork(one) && !closed.has('assistant', one.id)).slice(0, MAX_TEAM)
}

/** Returns those of these assistants that the user may use, in the given order. Invalid ids are ignored. */
export async function findAssistants(
  { db, grants }: Pick<Platform, 'db' | 'grants'>,
  user: Caller,
  ids: string[],
): Promise<Assistant[]> {
  const closed = await grants.closedTo(user.id)
  const named = ids.filter((id) => Id.safeParse(id).success && !closed.has('assistant', id))
  const rows = await findRows(db, user, named)
  const all = [...builtInAssistants(user.language), ...rows.map((row) => toAssistant(row, user))]
  return named.flatMap((id) => all.find((one) => one.id === id) ?? [])
}

function canWork({ status, agent_type }: Assistant): boolean {
  return status === 'published' && !leadingTypes.includes(agent_type)
}

function withoutLong(assistant: Assistant): ListedAssistant {
  const {
    system_prompt: _prompt,
    example_prompts: _examples,
    documents: _documents,
    workspaces: _workspaces,
    tools: _tools,
    shares: _shares,
    version: _version,
    can_hand_over: _over,
    ...rest
  } = assistant
  return rest
}
