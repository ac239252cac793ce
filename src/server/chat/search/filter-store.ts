import { type RawBuilder, sql } from 'kysely'
import type { SearchKind } from '#shared/chat/search/search.ts'
import type { Person, TextThing } from '../../platform/access/access.ts'

export type SearchFilter = {
  workspaceId?: string | undefined
  personId?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  model?: string | undefined
  tag?: string | undefined
}

type Source = {
  thing: TextThing
  /** Table of the thing, `thing` in a query. */
  table: string
  /** Kind of its rows `t` in `search_texts`, and how they belong to it. */
  text: 'message' | 'chunk' | 'prompt' | 'fact'
  isOf: RawBuilder<unknown>
  /** Condition for titles. */
  isListed: RawBuilder<unknown>
  /** Joins what a hit shows. */
  join: RawBuilder<unknown>
  /** True if things name their project. */
  hasProject: boolean
}

const yes = sql`true`

/** The tables and texts of each type. */
export const sources: Record<SearchKind, Source> = {
  chat: {
    ...{ thing: 'session', table: 'sessions', text: 'message' },
    isOf: sql`thing.id = t.parent_id and thing.origin = 'chat'`,
    isListed: sql`thing.origin = 'chat'`,
    join: sql`left join messages message on message.id = hit.id`,
    hasProject: true,
  },
  document: {
    ...{ thing: 'document', table: 'documents', text: 'chunk' },
    isOf: sql`thing.reading_id = t.parent_id`,
    isListed: yes,
    join: sql`left join chunks passage on passage.id = hit.id`,
    hasProject: false,
  },
  prompt: {
    ...{ thing: 'prompt', table: 'prompts', text: 'prompt' },
    ...{ isOf: sql`thing.id = t.id`, isListed: yes, join: sql``, hasProject: false },
  },
  memory: {
    ...{ thing: 'fact', table: 'facts', text: 'fact' },
    isOf: sql`thing.id = t.id and thing.state = 'kept'`,
    isListed: yes,
    join: sql``,
    hasProject: true,
  },
}

/** The time of a hit, and the message of a text in a chat. */
type Hit = { at: string; message: RawBuilder<unknown> | null }

/** Returns the condition that a hit passes the filter. A type without the property of a filter has no hits. */
export function isWanted(
  person: Person,
  kind: SearchKind,
  filter: SearchFilter,
  hit: Hit,
): RawBuilder<unknown> {
  const { workspaceId, personId, from, to, model, tag } = filter
  const conditions = [
    yes,
    ...(workspaceId ? [inProject(kind, workspaceId)] : []),
    ...(personId ? [sql`thing.user_id = ${personId}`] : []),
    ...(from ? [sql`${sql.ref(hit.at)} >= ${from}`] : []),
    ...(to ? [sql`${sql.ref(hit.at)} < ${to}`] : []),
    ...(model ? [byModel(kind, model, hit)] : []),
    ...(tag ? [withTag(person, kind, tag)] : []),
  ]
  return sql.join(conditions, sql` and `)
}

function inProject(kind: SearchKind, id: string): RawBuilder<unknown> {
  switch (kind) {
    case 'chat':
    case 'memory':
      return sql`thing.workspace_id = ${id}`
    case 'document':
      return sql`exists (select from workspace_documents placed
        where placed.document_id = thing.id and placed.workspace_id = ${id})`
    case 'prompt':
      return sql`exists (select from prompt_shares shared
        where shared.prompt_id = thing.id and shared.workspace_id = ${id})`
    default:
      return kind satisfies never
  }
}

function byModel(kind: SearchKind, model: string, { message }: Hit): RawBuilder<unknown> {
  if (kind === 'prompt') return sql`thing.model_name = ${model}`
  if (kind !== 'chat') return sql`false`
  if (message === null) return sql`thing.model_name = ${model}`
  return sql`exists (select from messages made where made.id = ${message} and made.model_name = ${model})`
}

function withTag(person: Person, kind: SearchKind, tag: string): RawBuilder<unknown> {
  if (kind === 'document') return sql`${tag} = any(thing.tags)`
  if (kind !== 'chat') return sql`false`
  return sql`exists (select from session_marks mark where mark.session_id = thing.id
    and mark.user_id = ${person.id} and ${tag} = any(mark.tags))`
}
