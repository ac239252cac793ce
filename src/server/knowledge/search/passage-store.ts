import { type Kysely, sql } from 'kysely'
import type { Place } from '#shared/platform/place.ts'
import type { Principal } from '../../platform/access/access.ts'
import { planEach } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { inScope, isWhole, type Scope } from './scope-store.ts'

/** A passage with its document. */
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
  /** Set for a document that a connector read. Times are text. */
  source: PassageSource | null
}

/** Facts that a source gives about an item. */
export type PassageSource = {
  path: string
  owner: string | null
  labels: string[]
  created_at: string | null
  changed_at: string | null
}

/**
 * Returns those of the passages that the principal may read within the scope. Checks the database, because the vector store may be
 * outdated. Unordered.
 */
export async function readPassages(
  db: Kysely<Tables>,
  principal: Principal,
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, Passage>> {
  const query = sql<Passage>`
    select distinct on (c.id) c.id, d.id as document_id, d.name as document_name, d.format, d.version, c.type, c.text,
      c.heading_path, c.place as stands, c.page_number, c.position, c.reading_id,
      (select json_build_object('path', item.path, 'owner', item.owner, 'labels', item.labels, 'created_at', item.created_there,
          'changed_at', item.changed_there)
        from connector_items item where item.id = d.connector_item_id) as source
    from chunks c join documents d on d.reading_id = c.reading_id
    where c.id = any(${[...ids]}::uuid[]) and ${inScope(principal, scope)}
    order by c.id, d.created_at limit ${ids.length}`.compile(db)
  const { rows } = await db.executeQuery(isWhole(scope) ? planEach('passages', query) : query)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the ids of all passages of a scope in reading order; null when they exceed `most` passages or `characters` in total. */
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

/** Returns the beginnings of sampled passages of a scope, with the language of their documents. Their ids are random, so the sample is too. */
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

/** A passage of a scope, with its document and length. */
export type ListedPassage = { id: string; document_id: string; document_name: string; characters: number }

/** Returns at most `most` passages of a scope in reading order; a passage of several documents is listed once. */
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

/** Returns the oldest document that shows a passage; null when there is none. */
export async function findDocumentOf(db: Kysely<Tables>, chunkId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select d.id from chunks c join documents d on d.reading_id = c.reading_id
    where c.id = ${chunkId} order by d.created_at, d.id limit 1`.execute(db)
  return rows[0]?.id ?? null
}
