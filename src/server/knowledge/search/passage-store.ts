import { type Kysely, sql } from 'kysely'
import type { Place } from '#shared/platform/place.ts'
import type { Principal } from '../../platform/access/access.ts'
import { planEach } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { inScope, isWhole, type Scope } from './scope-store.ts'

/** A passage with the document it stands in. */
export type Passage = {
  id: string
  document_id: string
  document_name: string
  format: string | null
  version: number
  type: string
  text: string
  heading_path: string[]
  stands: Place
  page_number: number | null
  position: number
  reading_id: string
}

/** Of these passages those that the principal may see within the scope, whatever the vector store says. In no order. */
export async function readPassages(
  db: Kysely<Tables>,
  principal: Principal,
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, Passage>> {
  const query = sql<Passage>`
    select distinct on (c.id) c.id, d.id as document_id, d.name as document_name, d.format, d.version, c.type, c.text,
      c.heading_path, c.place as stands, c.page_number, c.position, c.reading_id
    from chunks c join documents d on d.reading_id = c.reading_id
    where c.id = any(${[...ids]}::uuid[]) and ${inScope(principal, scope)}
    order by c.id, d.created_at limit ${ids.length}`.compile(db)
  const { rows } = await db.executeQuery(isWhole(scope) ? planEach('passages', query) : query)
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Ids of all passages within a scope, in reading order; null when these are more than `most`, or have more than so many characters
 * together.
 */
export async function readWhole(
  db: Kysely<Tables>,
  principal: Principal,
  scope: Scope,
  { most, characters }: { most: number; characters: number },
): Promise<string[] | null> {
  const { rows } = await sql<{ id: string; characters: number }>`
    select distinct on (lower(d.name), d.reading_id, c.position) c.id, length(c.text) as characters
    from documents d join chunks c on c.reading_id = d.reading_id
    where ${inScope(principal, scope)} and d.status = 'completed'
    order by lower(d.name), d.reading_id, c.position limit ${most + 1}`.execute(db)
  const sum = rows.reduce((all, row) => all + row.characters, 0)
  return rows.length > most || sum > characters ? null : rows.map(({ id }) => id)
}

/** The beginnings of passages within a scope, with the language of their documents; random ones, as their ids are. */
export async function samplePassages(
  db: Kysely<Tables>,
  principal: Principal,
  scope: Scope,
  { most, characters }: { most: number; characters: number },
): Promise<{ text: string; language: string | null }[]> {
  const { rows } = await sql<{ text: string; language: string | null }>`
    select left(c.text, ${characters}) as text, d.language from chunks c join documents d on d.reading_id = c.reading_id
    where ${inScope(principal, scope)} and d.status = 'completed' order by c.id limit ${most}`.execute(db)
  return rows
}

/** A passage of a scope: of which document, and how long. */
export type ListedPassage = { id: string; document_id: string; document_name: string; characters: number }

/** The passages within a scope, in reading order, `most` of them at most; each once, also where several documents have it. */
export async function listPassages(
  db: Kysely<Tables>,
  principal: Principal,
  scope: Scope,
  most: number,
): Promise<ListedPassage[]> {
  const { rows } = await sql<ListedPassage>`
    select id, document_id, document_name, characters from (
      select distinct on (c.id) c.id, d.id as document_id, d.name as document_name, length(c.text) as characters,
        d.reading_id, c.position
      from documents d join chunks c on c.reading_id = d.reading_id
      where ${inScope(principal, scope)} and d.status = 'completed'
      order by c.id, lower(d.name), d.id) as passages
    order by lower(document_name), reading_id, position limit ${most}`.execute(db)
  return rows
}

/** The document a passage stands in, the eldest of several; null when it is gone. */
export async function findDocumentOf(db: Kysely<Tables>, chunkId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select d.id from chunks c join documents d on d.reading_id = c.reading_id
    where c.id = ${chunkId} order by d.created_at, d.id limit 1`.execute(db)
  return rows[0]?.id ?? null
}
