import { type Kysely, sql } from 'kysely'
import type { UnmanagedProject } from '#shared/chat/project-lifecycle/project-lifecycle.ts'
import { may, namingCompany, type Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Returns a page of the projects without a manager that a person administers, by name. */
export async function listUnmanaged(
  db: Db,
  person: Person,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ items: UnmanagedProject[]; total: number }> {
  const { rows } = await sql<UnmanagedProject & { total: number }>`
    select w.id, w.name, c.name as company, count(*) over ()::int as total,
      (select count(*)::int from workspace_members m where m.workspace_id = w.id) as members
    from workspaces w left join companies c on c.id = ${companyOf('w')}
    where (w.user_id is null or w.user_id in (select id from users where deactivated_at is not null)) and ${may(person, 'read unmanaged-project', 'w')}
    order by lower(w.name), w.id limit ${limit} offset ${skip}`.execute(db)
  return { items: rows.map(({ total: _, ...item }) => item), total: rows[0]?.total ?? 0 }
}

const companyOf = (alias: string) => namingCompany((name) => sql.ref(`${alias}.${name}`))

/** Returns whether a project lacks an active manager, and the company whose administrators name a manager. */
export async function findLack(
  trx: Db,
  projectId: string,
): Promise<{ lacks: boolean; company_id: string | null }> {
  const { rows } = await sql<{ lacks: boolean; company_id: string | null }>`
    select lacks_manager(w.id, w.user_id) as lacks, ${companyOf('w')} as company_id
    from workspaces w where w.id = ${projectId}`.execute(trx)
  return rows[0] ?? { lacks: false, company_id: null }
}

/** Returns the name of an active person of a company, or of any company for null; null for anyone else. */
export async function findCandidate(
  trx: Db,
  personId: string,
  companyId: string | null,
): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(nullif(trim(u.full_name), ''), u.username) as name from users u
    where u.id = ${personId} and u.deactivated_at is null and (${companyId}::uuid is null or exists (
      select from company_members m where m.user_id = u.id and m.company_id = ${companyId}::uuid)) limit 1`.execute(
    trx,
  )
  return rows[0]?.name ?? null
}

/** Makes a person the owner of a project without one. Their membership ends, because an owner has none. */
export async function setOwner(trx: Db, projectId: string, personId: string): Promise<void> {
  await trx
    .deleteFrom('workspace_members')
    .where('workspace_id', '=', projectId)
    .where('person_id', '=', personId)
    .execute()
  await trx
    .updateTable('workspaces')
    .set({ user_id: personId, managed_by: null })
    .where('id', '=', projectId)
    .execute()
}
