import { type Kysely, type RawBuilder, sql } from 'kysely'
import { MAX_WORDS, type PaletteItem, type PaletteKind } from '#shared/chat/palette/palette.ts'
import { may, mayPerhapsRead, type Person, readableRow } from '../../../platform/access/access.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Row = Omit<PaletteItem, 'used_at'> & { used_at: Date; rank: number }
type Wanted = {
  words: string[]
  kinds: readonly PaletteKind[]
  limit: number
  /** Only things of this project. */
  workspaceId?: string | undefined
}

/** Maximum uses stored per person. */
const MAX_USES = 200
/** Words from this length are also found inside other words. */
const MIN_INSIDE = 3

/** Returns what a person may read and that has all these words, by kind: the best match first, then the last used. */
export async function findItems(db: Db, person: Person, wanted: Wanted): Promise<Row[]> {
  const { kinds, limit } = wanted
  const parts = kinds.map((kind) => sql`(${findKind(person, kind, wanted)})`)
  const { rows } = await sql<Row>`
    select * from (${sql.join(parts, sql` union all `)}) found
    order by rank, used_at desc, id limit ${limit * kinds.length}`.execute(db)
  return rows
}

function findKind(
  person: Person,
  kind: PaletteKind,
  { words, limit, workspaceId }: Wanted,
): RawBuilder<unknown> {
  // The list of chats has an index by time, so that the recent ones need no search.
  if (words.length === 0 && kind === 'session')
    return sql`select 'session' as kind, thing.id, 0 as rank, thing.updated_at as used_at, ${columns(person, kind)}
      from sessions thing where ${may(person, 'read session', 'thing')} and thing.origin = 'chat' and ${isPlaced(kind, workspaceId)}
      order by thing.updated_at desc, thing.id limit ${limit}`
  const isWanted = words.length > 0 ? matches(words) : sql`u.used_at is not null`
  // The row is read for one candidate after the other, best first, until there are enough.
  return sql`
    select ${sql.lit(kind)}::text as kind, c.id, c.rank, c.used_at, ${columns(person, kind)}
    from (
      select i.id, ${rankOf(words)} as rank, greatest(i.updated_at, u.used_at) as used_at
      from search_items i
      left join search_uses u on u.kind = i.kind and u.item_id = i.id and u.user_id = ${person.id}
      where i.kind = ${sql.lit(kind)} and ${mayPerhapsRead(person, kind, 'i')} and ${isWanted}
      order by rank, used_at desc, i.id) c
    cross join lateral (${readableRow(person, kind, sql.ref('c.id'))} offset 0) thing
    where ${isOffered(kind)} and ${isPlaced(kind, workspaceId)}
    order by c.rank, c.used_at desc, c.id limit ${limit}`
}

/** A person's default workspace is no project. */
const isOffered = (kind: PaletteKind) =>
  kind === 'workspace' ? sql<boolean>`not thing.is_default` : sql<boolean>`true`

/** Returns the condition that `thing` belongs to a project. Assistants belong to none. */
function isPlaced(kind: PaletteKind, workspaceId: string | undefined): RawBuilder<unknown> {
  if (!workspaceId) return sql`true`
  switch (kind) {
    case 'session':
      return sql`thing.workspace_id = ${workspaceId}`
    case 'workspace':
      return sql`thing.id = ${workspaceId}`
    case 'document':
      return sql`exists (select from workspace_documents placed
        where placed.document_id = thing.id and placed.workspace_id = ${workspaceId})`
    case 'prompt':
      return sql`exists (select from prompt_shares shared
        where shared.prompt_id = thing.id and shared.workspace_id = ${workspaceId})`
    case 'assistant':
      return sql`false`
    default:
      return kind satisfies never
  }
}

const noDetail = sql`null::text as detail, false as is_archived`

function columns(person: Person, kind: PaletteKind): RawBuilder<unknown> {
  switch (kind) {
    case 'session':
      return sql`thing.title, null::text as detail, exists (select from session_marks m where m.session_id = thing.id
        and m.user_id = ${person.id} and m.archived_at is not null)
        or exists (select from workspaces w where w.id = thing.workspace_id and w.archived_at is not null) as is_archived`
    case 'assistant':
      return sql`thing.name as title, nullif(left(thing.description, 120), '') as detail, false as is_archived`
    case 'prompt':
      return sql`thing.name as title, '/' || thing.command as detail, false as is_archived`
    case 'workspace':
      return sql`thing.name as title, null::text as detail, thing.archived_at is not null as is_archived`
    case 'document':
      return sql`thing.name as title, ${noDetail}`
    default:
      return kind satisfies never
  }
}

/** Every word begins a word of the item, or is in it when it is long enough. */
function matches(words: string[]): RawBuilder<unknown> {
  return sql.join(
    words.map((word) => sql`i.words like '%' || ${isLong(word) ? inside(word) : begins(word)} || '%'`),
    sql` and `,
  )
}

/** 0: begins with the words as typed; 1: every word begins a word; 2: some are inside of words. */
function rankOf(words: string[]): RawBuilder<unknown> {
  if (words.length === 0) return sql`0`
  const begun = words.map((word) => sql`i.words like '%' || ${begins(word)} || '%'`)
  return sql`case when i.words like ${begins(words.join(' '))} || '%' then 0
    when ${sql.join(begun, sql` and `)} then 1 else 2 end`
}

const begins = (word: string) => sql`search_words(${word}::text)`
const inside = (word: string) => sql`ltrim(search_words(${word}::text))`

/** Scripts without spaces between words are always searched inside. */
const isLong = (word: string) =>
  word.length >= MIN_INSIDE || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word)

/** Splits a search into words; only letters, digits and marks are left. */
export function splitWords(q: string): string[] {
  return q.match(/[\p{L}\p{N}\p{M}]+/gu)?.slice(0, MAX_WORDS) ?? []
}

/** Returns whether a person may read an item. */
export async function isFindable(db: Db, person: Person, kind: PaletteKind, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from search_items i cross join lateral (${readableRow(person, kind, sql.ref('i.id'))} offset 0) thing
    where i.kind = ${kind} and i.id = ${id} limit 1`.execute(db)
  return rows.length > 0
}

/** Stores the use of an item that may be deleted meanwhile, and forgets the oldest uses. */
export async function storeUse(
  db: Db,
  userId: string,
  kind: PaletteKind,
  id: string,
  now: Date,
): Promise<void> {
  await sql`
    insert into search_uses (user_id, kind, item_id, used_at)
    select ${userId}, kind, id, ${now} from search_items where kind = ${kind} and id = ${id}
    on conflict (user_id, kind, item_id) do update set used_at = greatest(search_uses.used_at, excluded.used_at)`.execute(
    db,
  )
  await sql`
    delete from search_uses where user_id = ${userId} and used_at <= (
      select used_at from search_uses where user_id = ${userId} order by used_at desc, kind, item_id
      offset ${MAX_USES} limit 1)`.execute(db)
}
