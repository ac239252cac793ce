import { type Kysely, sql } from 'kysely'
import type { DataClass } from '#shared/models/data-classes/data-classes.ts'
import { administeredBy, may, type Person } from '../../platform/access/access.ts'
import type { Source } from '../../platform/access/classes/classes.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

const tableOf = {
  document: 'documents',
  project: 'workspaces',
  connector: 'connectors',
  database: 'databases',
} as const satisfies Record<Source['kind'], string>

/** Returns the class of a thing itself; undefined when there is no such thing. */
export async function findOwnClass(db: Db, { kind, id }: Source): Promise<string | null | undefined> {
  const { rows } = await sql<{ class_id: string | null }>`
    select class_id from ${sql.table(tableOf[kind])} where id = ${id}`.execute(db)
  return rows[0]?.class_id
}

/** Returns the present classes of a thing, the strictest one of each company. */
export async function findEffective(db: Db, { kind, id }: Source): Promise<DataClass[]> {
  const { rows } = await sql<DataClass>`
    select c.id, c.company_id, c.name, c.position, c.is_default
    from classes_of_source(${kind}, ${id}::uuid, null) as own (id) join data_classes c on c.id = own.id
    order by c.position desc, c.id limit 20`.execute(db)
  return rows
}

export async function findClass(db: Db, id: string): Promise<DataClass | undefined> {
  const { rows } = await sql<DataClass>`
    select id, company_id, name, position, is_default from data_classes where id = ${id}`.execute(db)
  return rows[0]
}

type From = { kind: 'document' | 'project' | 'connector'; name: string }

/** Returns the thing from which a document has a class that is not its own: a parent, a connector or a project. */
export async function findOrigin(db: Db, person: Person, documentId: string, classId: string) {
  const { rows } = await sql<From>`
    with recursive whole as (
      select id, parent_id, connector_id, class_id, name from documents where id = ${documentId}
      union select d.id, d.parent_id, d.connector_id, d.class_id, d.name from whole w join documents d on d.id = w.parent_id
    )
    select 'document' as kind, name from whole where class_id = ${classId} and id <> ${documentId}
    union all select 'connector', k.name from whole w join connectors k on k.id = w.connector_id where k.class_id = ${classId}
    union all select 'project', case when ${may(person, 'read workspace', 'p')} then p.name else '' end
      from whole w join workspace_documents l on l.document_id = w.id join workspaces p on p.id = l.workspace_id
      where p.class_id = ${classId}
    order by kind, name limit 1`.execute(db)
  return rows[0] ?? null
}

/**
 * Returns whether a person owns a document or administers the company of one of its classes. A document of a connector has the class of
 * its connector.
 */
export async function classifies(db: Db, person: Person, documentId: string): Promise<boolean> {
  const { rows } = await sql`
    select from documents d where d.id = ${documentId} and (${may(person, 'write document', 'd')}
      or (d.connector_id is null and exists (select from classes_of_document(d.id) as own (id)
        join data_classes c on c.id = own.id where c.company_id = any(${administeredBy(person)}::uuid[]))))`.execute(
    db,
  )
  return rows.length > 0
}

/** Returns whether a person manages a project of another owner that has the document. Anyone can put a document into a project of their own. */
export async function managesProjectOf(db: Db, person: Person, documentId: string): Promise<boolean> {
  const { rows } = await sql`
    select from workspace_documents l join workspaces p on p.id = l.workspace_id
    where l.document_id = ${documentId} and p.user_id is distinct from ${person.id} and ${may(person, 'manage workspace', 'p')} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

export async function writeClass(trx: Db, { kind, id }: Source, classId: string | null): Promise<void> {
  await sql`update ${sql.table(tableOf[kind])} set class_id = ${classId}::uuid where id = ${id}`.execute(trx)
}

export async function readingOf(
  db: Db,
  documentId: string,
): Promise<{ reading_id: string; words_only: boolean } | undefined> {
  const { rows } = await sql<{ reading_id: string; words_only: boolean }>`
    select d.reading_id, r.words_only from documents d join readings r on r.id = d.reading_id where d.id = ${documentId}`.execute(
    db,
  )
  return rows[0]
}
