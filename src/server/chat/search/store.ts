import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { SearchHit, SearchKind } from '#shared/chat/search/search.ts'
import { may, mayPerhapsRead, ownersToSearch, type Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { isWanted, type SearchFilter, sources } from './filter-store.ts'
import { type Term, toTsQuery } from './read-query.ts'

type Db = Kysely<Tables>
export type Wanted = SearchFilter & {
  terms: readonly Term[]
  limit: number
  /** Position after which the hits begin. */
  after?: { micros: string; id: string }
}
export type FoundText = Omit<SearchHit, 'excerpt' | 'at' | 'person' | 'project'> & {
  text: string
  at: Date
  micros: string
  person_id: string
  person: string
  project_id: string | null
  project: string | null
}

/** Characters of a piece, and from one piece to the next (migration 0460). */
const [PIECE, STEP] = [sql.lit(16_000), sql.lit(15_500)]

/**
 * Returns the newest hits of one type that the person may read, at most `limit`. Rights are checked with each hit. Two
 * statements: with the owners known, the index finds the words and the owners together.
 */
export async function findTexts(
  db: Db,
  person: Person,
  kind: SearchKind,
  wanted: Wanted,
): Promise<FoundText[]> {
  const source = sources[kind]
  const owners = await sql<{ owner: string }>`
    select owner from (${ownersToSearch(person, source.thing)}) found
    order by owner <> ${person.id}, owner limit ${MAX_OWNERS}`.execute(db)
  const ids = owners.rows.map(({ owner }) => owner)
  const texts = textsWith(kind, wanted, ids)
  // The texts of several owners are not in order in any index.
  const isOrdered = ids.length !== 1 || (await isCommon(db, texts, wanted))
  const parts = [textHits(person, kind, wanted, isOrdered ? texts : apart(texts))]
  if (kind === 'chat' || kind === 'document') parts.push(titleHits(person, kind, wanted))
  const { rows } = await sql<FoundText>`
    select ${sql.lit(kind)}::text as kind, hit.id, hit.thing_id, hit.piece is null as is_title, hit.at,
      (extract(epoch from hit.at) * 1000000)::bigint::text as micros, owner.id as person_id,
      coalesce(nullif(trim(owner.full_name), ''), owner.username) as person, ${columns(person, kind)}
    from (
      select * from (${sql.join(
        parts.map((part) => sql`(${part})`),
        sql` union all `,
      )}) found
      order by at desc, id desc limit ${wanted.limit}) hit
    join ${sql.table(source.table)} thing on thing.id = hit.thing_id
    join users owner on owner.id = thing.user_id ${source.join}
    ${source.hasProject ? joinProject(person) : sql``}
    order by hit.at desc, hit.id desc limit ${wanted.limit}`.execute(db)
  return rows
}

const joinProject = (person: Person) =>
  sql`left join workspaces project on project.id = thing.workspace_id and ${may(person, 'read workspace', 'project')}`

/** Maximum owners whose texts one search looks through. */
const MAX_OWNERS = 5_000

/** Texts of a type, and the condition that they have the words. */
type Texts = { from: RawBuilder<unknown>; isOwn: RawBuilder<unknown>; isMatch: RawBuilder<unknown> }

function textsWith(kind: SearchKind, { terms, after }: Wanted, owners: string[]): Texts {
  const { text } = sources[kind]
  const lexemes = owners.map((owner) => `'${text}:${owner}'`).join(' | ')
  // With one owner, an index has their texts in order. The database prefers it for words that are in many texts.
  const isOwned = owners.length === 1 ? sql`t.owner = ${owners[0]}` : sql`t.owner = any(${owners}::uuid[])`
  return {
    from: sql`search_texts t`,
    isOwn: sql`t.kind = ${sql.lit(text)} and ${isOwned} and ${isAfter(after, 't.at', 't.id')}`,
    isMatch: sql`t.words @@ (${lexemes}::tsquery && to_tsquery('simple', ${toTsQuery(terms)}))`,
  }
}

/** Newest texts in which words are counted. */
const SAMPLE = 500

/**
 * Returns whether the newest texts have the words often enough to find a page by looking through them. The database guesses wrongly
 * for common words together with a rare one.
 */
async function isCommon(db: Db, { from, isOwn, isMatch }: Texts, { limit }: Wanted): Promise<boolean> {
  const { rows } = await sql<{ is_common: boolean }>`
    select count(*) filter (where ${isMatch}) * 4 >= ${limit} as is_common
    from (select t.words from ${from} where ${isOwn} order by t.at desc, t.id desc limit ${sql.lit(SAMPLE)}) t`.execute(
    db,
  )
  return rows[0]?.is_common ?? false
}

/** Has the database find the words before their order is known, which the index of words does. */
function apart({ from, isOwn, isMatch }: Texts): Texts {
  const found = sql`(select t.at, t.id, t.piece, t.parent_id from ${from} where ${isOwn} and ${isMatch} offset 0) t`
  return { from: found, isOwn: sql`true`, isMatch: sql`true` }
}

function textHits(
  person: Person,
  kind: SearchKind,
  wanted: Wanted,
  { from, isOwn, isMatch }: Texts,
): RawBuilder<unknown> {
  const { table, thing, isOf } = sources[kind]
  const id = kind === 'prompt' || kind === 'memory' ? sql`t.id` : sql`thing.id`
  return sql`
    select distinct on (t.at, t.id) t.at, t.id, t.piece::integer as piece, ${id} as thing_id
    from ${from} join ${sql.table(table)} thing on ${isOf}
    where ${isOwn} and ${isMatch} and ${may(person, `read ${thing}`, 'thing')}
      and ${isWanted(person, kind, wanted, { at: 't.at', message: sql.ref('t.id') })}
    order by t.at desc, t.id desc, t.piece, thing.id limit ${wanted.limit}`
}

/** Finds chats and documents by all words of the title. */
function titleHits(person: Person, kind: 'chat' | 'document', wanted: Wanted): RawBuilder<unknown> {
  const { table, thing, isListed } = sources[kind]
  const item = thing === 'document' ? ('document' as const) : ('session' as const)
  return sql`
    select i.updated_at as at, i.id, null::integer as piece, i.id as thing_id
    from search_items i join ${sql.table(table)} thing on thing.id = i.id
    where i.kind = ${sql.lit(item)} and ${mayPerhapsRead(person, item, 'i')} and ${isInTitle(wanted.terms)}
      and ${may(person, `read ${thing}`, 'thing')} and ${isListed} and ${isAfter(wanted.after, 'i.updated_at', 'i.id')}
      and ${isWanted(person, kind, wanted, { at: 'i.updated_at', message: null })}
    order by i.updated_at desc, i.id desc limit ${wanted.limit}`
}

/** `search_items.words` has each word after one space. */
function isInTitle(terms: readonly Term[]): RawBuilder<unknown> {
  const isIn = ({ words, isOpen }: Term) => {
    const phrase = `${words.join(' ')}${isOpen ? '' : ' '}`
    // Letters that are words of their own are not apart in titles.
    const spaceless = words.join('')
    return sql`(i.words || ' ' like ${`% ${phrase}%`} or ${spaceless.length > 0 && /^[^a-z\d]+$/.test(spaceless)}
      and i.words like ${`%${spaceless}%`})`
  }
  return sql.join(terms.map(isIn), sql` and `)
}

function isAfter(after: Wanted['after'], at: string, id: string): RawBuilder<unknown> {
  if (!after) return sql`true`
  return sql`(${sql.ref(at)}, ${sql.ref(id)}) < (timestamptz 'epoch' + ${after.micros}::bigint * interval '1 microsecond', ${after.id}::uuid)`
}

/** Selects what each type shows. Only the piece with the match is read, because a text may have a megabyte. */
function columns(person: Person, kind: SearchKind): RawBuilder<unknown> {
  const none = sql`null::text as model_name, null::integer as page_number, false as is_archived`
  const noProject = sql`null::uuid as project_id, null::text as project`
  const project = sql`project.id as project_id, project.name as project`
  const pieceOf = (content: RawBuilder<unknown>) =>
    sql`substr(${content}, coalesce(hit.piece, 0) * ${STEP} + 1, ${PIECE})`
  switch (kind) {
    case 'chat':
      return sql`thing.title, coalesce(${pieceOf(sql`message.content`)}, '') as text, message.model_name, null::integer as page_number,
        exists (select from session_marks m where m.session_id = thing.id and m.user_id = ${person.id}
          and m.archived_at is not null) as is_archived, ${project}`
    case 'document':
      return sql`thing.name as title, coalesce(${pieceOf(sql`passage.text`)}, '') as text, null::text as model_name, passage.page_number,
        false as is_archived, ${noProject}`
    case 'prompt':
      return sql`thing.name as title, ${pieceOf(sql`thing.name || ' /' || thing.command || E'\\n' || thing.text`)} as text, ${none}, ${noProject}`
    case 'memory':
      return sql`'' as title, thing.text, ${none}, ${project}`
    default:
      return kind satisfies never
  }
}
