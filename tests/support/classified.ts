import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Source } from '../../src/server/platform/access/classes/classes.ts'
import type { TestApp } from './app.ts'
import { aMessage, aSession, type TestUser } from './builders.ts'
import { aDocument } from './stored-document.ts'

type App = Pick<TestApp, 'deps'>

/** Returns the ids of a company's classes, the most open one first. */
export async function classesOf({ deps }: App, companyId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from data_classes where company_id = ${companyId} order by position, id`.execute(deps.db)
  return rows.map(({ id }) => id)
}

/** Restricts a receiver to classes. */
export async function restrict(
  { deps }: App,
  companyId: string,
  receiver: string,
  classes: readonly string[],
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    await sql`delete from class_receiver_classes where company_id = ${companyId} and receiver = ${receiver}`.execute(
      trx,
    )
    await sql`insert into class_receivers values (${companyId}, ${receiver}) on conflict do nothing`.execute(
      trx,
    )
    await sql`insert into class_receiver_classes select ${companyId}, ${receiver}, id
      from unnest(${[...classes]}::uuid[]) id`.execute(trx)
  })
}

/** Lets every receiver of a company receive everything. */
export const openAll = ({ deps }: App, companyId: string) =>
  sql`delete from class_receivers where company_id = ${companyId}`.execute(deps.db)

/** Creates a document that is in no project. */
export async function aClassified(app: App, user: TestUser, classId: string | null): Promise<string> {
  const { documentId, workspaceId } = await aDocument(app, user)
  await sql`delete from workspaces where id = ${workspaceId}`.execute(app.deps.db)
  await sql`update documents set class_id = ${classId} where id = ${documentId}`.execute(app.deps.db)
  return documentId
}

export async function aClassifiedProject(
  { deps }: App,
  user: TestUser,
  classId: string | null,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`insert into workspaces (user_id, name, class_id)
    values (${user.id}, ${randomUUID()}, ${classId}) returning id`.execute(deps.db)
  return rows[0]!.id
}

export async function aClassifiedConnector(
  { deps }: App,
  user: TestUser,
  classId: string | null,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into connectors (user_id, source, name, settings, selection, rights, every_minutes, class_id)
    values (${user.id}, 'webdav', 'Share', '{}', '{}', 'named', 60, ${classId}) returning id`.execute(deps.db)
  return rows[0]!.id
}

export async function aClassifiedDatabase({ deps }: App, classId: string | null): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into databases (name, kind, host, database, role, tls, limit_seconds, limit_rows, class_id)
    values (${randomUUID()}, 'postgres', 'db', 'db', 'reader', 'off', 5, 10, ${classId}) returning id`.execute(
    deps.db,
  )
  return rows[0]!.id
}

type RunOptions = {
  sources?: readonly Source[]
  sessionId?: string
  /** The message before the question. */
  after?: string | null
  parentRunId?: string
  forked?: { runId: string; position: number }
  mentions?: string[]
}

/** Creates an ended reply with its question, and what entered its run. */
export async function aReplyWith({ deps }: App, user: TestUser, options: RunOptions = {}) {
  const { sources = [], after = null, parentRunId, forked, mentions = [] } = options
  const sessionId = options.sessionId ?? (await aSession({ deps }, user)).id
  const named = mentions.map((id) => ({ kind: 'session', id, name: '' }))
  const question = await aMessage({ deps }, sessionId, {
    parentId: after,
    metadata: named.length > 0 ? { mentions: named } : {},
  })
  const reply = await aMessage({ deps }, sessionId, { parentId: question.id, role: 'assistant' })
  const runId = randomUUID()
  await sql`insert into runs (id, user_id, session_id, user_message_id, message_id, parent_run_id, agent_type, agent_version, state,
      forked_from_run, forked_from_position)
    values (${runId}, ${user.id}, ${sessionId}, ${question.id}, ${parentRunId ? null : reply.id}, ${parentRunId ?? null}, 'multi_turn',
      1, 'completed', ${forked?.runId ?? null}, ${forked?.position ?? null})`.execute(deps.db)
  await enter({ deps }, runId, sources)
  return { sessionId, questionId: question.id, replyId: reply.id, runId }
}

/** Notes what entered a run at a position of its journal. */
export async function enter(
  { deps }: App,
  runId: string,
  sources: readonly Source[],
  position = 1,
): Promise<void> {
  for (const { kind, id } of sources)
    await sql`insert into run_sources (run_id, kind, source_id, position) values (${runId}, ${kind}, ${id}, ${position})
      on conflict do nothing`.execute(deps.db)
}

/** Adds the strictest class of a company. The number of classes is limited. */
export async function aSpareClass({ deps }: App, companyId: string): Promise<string> {
  await sql`delete from data_classes c where company_id = ${companyId} and name like 'Spare %' and id in (
    select id from data_classes where company_id = ${companyId} order by position offset 10)`.execute(deps.db)
  const { rows } = await sql<{ id: string }>`insert into data_classes (company_id, name, position)
    values (${companyId}, ${`Spare ${randomUUID()}`}, (select max(position) + 1 from data_classes where company_id = ${companyId}))
    returning id`.execute(deps.db)
  return rows[0]!.id
}
