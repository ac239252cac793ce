import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { writeClientId } from '../../../src/server/identity/programs/client-id.ts'
import { ensureLibrary } from '../../../src/server/knowledge/collections/collections.ts'
import type { TestApp } from '../app.ts'
import { aSession, aUser, type TestUser } from '../builders.ts'
import { aSpareClass } from '../classified.ts'
import { aBrandLogo } from '../company-brand.ts'
import { aDomain } from '../company-domain.ts'
import { aSpareNetwork } from '../company-network.ts'
import { withdrawnTerms } from '../company-terms.ts'
import { aDocument } from '../stored-document.ts'
import { aMedium } from '../stored-media.ts'
import { anUnansweredGroup } from '../unanswered-group.ts'
import { aRow } from '../vector-row.ts'
import { anEmbed } from '../visit.ts'
import { anApproval } from './approval-things.ts'
import { aConnector } from './connector-things.ts'
import { aCall, aKey, aLink, aWebhook } from './outside-things.ts'
import { aRun } from './run-things.ts'
import { aSchedule } from './schedule-things.ts'
import {
  anAssistant,
  aProject,
  aProjectMember,
  aPrompt,
  aPromptShare,
  aShare,
  aTool,
} from './shared-things.ts'

/** One thing of each kind, with its names in paths, queries and bodies. */
export type Things = Awaited<ReturnType<typeof someThings>>

type Whose = { owner: TestUser; companyId: string; isShared: boolean; hasVectors?: boolean }

/** Creates things of the owner: an answered chat with an input request, its checkpoint, execution and file, an assistant, a connection. */
export async function someThings(app: TestApp, { owner, companyId, isShared, hasVectors = true }: Whose) {
  const { id: sessionId, messageIds } = await aSession(app, owner, { turns: 1, title: 'Owned' })
  const [question = '', reply = ''] = messageIds
  const { runId, executionId } = await aRun(app, { owner, sessionId, question, reply })
  const whose = isShared ? companyId : null
  const bystander = await aBystander(app, companyId)
  const [document, assistantId, promptId, mediaId] = await Promise.all([
    aDocument(app, owner),
    anAssistant(app, owner, whose),
    aPrompt(app, owner, whose),
    aMedium(app, owner, runId),
  ])
  const made = await allOf({
    queuedId: aQueuedMessage(app, owner, sessionId),
    fileId: aFile(app, owner),
    factId: aFact(app, owner, sessionId),
    exportId: anExport(app, owner, sessionId),
    importId: anImport(app, owner),
    importUploadId: anImportUpload(app, owner),
    jobId: aJob(app),
    // By far the slowest to create.
    objectId: hasVectors ? anObject(app, owner, document) : document.chunkId,
    connectionId: aConnection(app),
    databaseId: aDatabase(app),
    channelId: aChannel(app, companyId),
    slackChannelId: aChannel(app, companyId),
    teamsChannelId: aChannel(app, companyId, 'teams'),
    holdId: aHold(app, owner),
    invitationId: anInvitation(app, owner, companyId),
    domain: aDomain(app, companyId),
    networkId: aSpareNetwork(app, companyId),
    classId: aSpareClass(app, companyId),
    receiver: 'web',
    personalId: aPersonalAccount(app, owner),
    termsVersion: withdrawnTerms(app, companyId),
    logoId: aBrandLogo(app, companyId),
    unansweredId: anUnansweredGroup(app, owner, document.workspaceId),
    announcementId: anAnnouncement(app, companyId),
    groupId: aGroup(app, companyId),
    passkeyId: aPasskey(app, owner),
    providerId: aProvider(app),
    budgetId: aBudget(app, owner),
    accessId: aChatAccess(app, owner, bystander),
    projectId: aProject(app, owner.id),
    unmanagedProjectId: aProject(app, null, companyId),
  })
  const parts = await Promise.all([
    aLink(app, owner, sessionId, reply, document),
    anEmbedOf(app, owner, assistantId),
    aSignIn(app, owner, document),
    aWebhook(app, owner),
    aCall(app, owner),
    aTool(app, owner, whose, bystander),
    aBench(app, owner, reply),
    aKey(app, owner),
    aShare(app, assistantId, bystander, companyId),
    aPromptShare(app, promptId, bystander, companyId),
    aProjectMember(app, document.workspaceId, bystander, companyId),
    aSchedule(app, { owner, companyId, runId }),
    aConnector(app, owner),
    anApproval(app, { owner, companyId, runId, sessionId }),
  ])
  const [link, embed, signIn, webhook, program, tool, bench, key, ...shares] = parts
  const [assistantShareId, promptShareId, projectMemberId, schedule, connector, approval] = shares
  return {
    ...{ sessionId, messageId: reply, question, branchId: question, runId, executionId },
    ...{ checkpointId: `${runId}:step1`, mediaId, pictureId: mediaId, assistantId },
    ...{ promptId, assistantShareId, promptShareId, projectMemberId, ...schedule, ...connector, ...approval },
    ...{ ...document, wireFileId: `file-${document.documentId}` },
    ...{ ...link, ...embed, ...signIn, ...webhook, ...program, ...tool, ...bench, ...key, ...made },
    ...{ userId: bystander, memberId: bystander, companyId, chatId: sessionId },
    ...{
      provider: 'google',
      step: 'mail',
      theme: 'light',
      control: 'feedback',
      lng: 'en',
      brandVersion: `${companyId}-1`,
      ns: 'common',
      version: '1',
      collection: 'Documents',
      kind: 'embedding',
      modelName: 'other',
      accountKind: 'jira',
      actionTool: 'send_mail',
    },
    clientId: writeClientId(app.deps, { name: 'Desk', redirect_uris: ['https://desk.example/back'] }),
  }
}

/** Waits for all values of an object concurrently. */
async function allOf<T extends Record<string, string | Promise<string>>>(
  values: T,
): Promise<Record<keyof T, string>> {
  const entries = Object.entries(values).map(async ([name, value]) => [name, await value])
  return Object.fromEntries(await Promise.all(entries))
}

/** Creates a fact that was learned in a chat. */
async function aFact({ deps: { db } }: TestApp, owner: TestUser, session_id: string): Promise<string> {
  const text = `The year begins in ${randomUUID()}`
  const row = { user_id: owner.id, text, words: text, origin: 'remember' as const, session_id }
  return (await db.insertInto('facts').values(row).returning('id').executeTakeFirstOrThrow()).id
}

/** Creates a waiting message that nothing starts, because it was refused. */
async function aQueuedMessage({ deps: { db } }: TestApp, { id: user_id }: TestUser, session_id: string) {
  const row = { session_id, user_id, way: 'queue' as const, client_id: randomUUID(), content: 'Later' }
  const queued = db.insertInto('queued_messages').values({ ...row, position: 1, failure: 'not_available' })
  return (await queued.returning('id').executeTakeFirstOrThrow()).id
}

/** Creates an announcement to a company. */
async function anAnnouncement({ deps: { db } }: TestApp, companyId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into announcements (tone, text_en, company_ids, starts_at, ends_at, author_name, created_at)
    values ('news', 'The house is closed.', array[${companyId}]::uuid[], now(), now() + interval '1 day', 'Ada', now())
    returning id`.execute(db)
  return rows[0]?.id ?? ''
}

/** Connects an account of the owner for tickets. */
async function aPersonalAccount({ deps }: TestApp, { id }: TestUser): Promise<string> {
  const sealed = deps.secrets.seal('{}')
  await sql`insert into personal_accounts values (${id}, 'jira', 'ada@example.com', ${sealed}, now())
    on conflict do nothing`.execute(deps.db)
  return id
}

/** Creates a sign-on provider without people. */
async function aProvider({ deps: { db } }: TestApp): Promise<string> {
  const id = `oidc-${randomUUID().slice(0, 8)}`
  const settings = {
    ...{ kind: 'oidc', issuer: 'http://127.0.0.1:9', client_id: 'atrium', scopes: 'openid' },
    ...{ groups_claim: '', asks_graph: false, signs_out: false },
  }
  // The list has a limit.
  await db.deleteFrom('sign_on_providers').where('name', '=', 'Other').execute()
  const row = { id, name: 'Other', is_enabled: false, trusts_addresses: false, rules: '[]' }
  await db
    .insertInto('sign_on_providers')
    .values({ ...row, settings: JSON.stringify(settings) })
    .execute()
  return id
}

/** Creates an unused budget of the owner. */
async function aBudget({ deps: { db } }: TestApp, { id: user_id }: TestUser): Promise<string> {
  const values = {
    kind: 'user' as const,
    user_id,
    period: 'month' as const,
    amount: 1_000_000,
    since: '2026-01-01',
  }
  await db.deleteFrom('budgets').where('user_id', '=', user_id).execute()
  return (await db.insertInto('budgets').values(values).returning('id').executeTakeFirstOrThrow()).id
}

/** Creates a question set with a question and a run, and feedback that can become a question. */
async function aBench({ deps: { db } }: TestApp, { id: user_id }: TestUser, message_id: string) {
  const created_at = new Date()
  const set = db.insertInto('bench_sets').values({ name: randomUUID(), created_at })
  const { id: set_id } = await set.returning('id').executeTakeFirstOrThrow()
  const asked = { set_id, user_id, question: 'Where?', expected: '[]', created_at }
  const one = await db.insertInto('bench_cases').values(asked).returning('id').executeTakeFirstOrThrow()
  const setting = JSON.stringify({ type: 'keyword', alpha: 0.5, reranker: null, candidates: 20 })
  const run = { set_id, user_id, setting, state: 'ready' as const, created_at }
  const { id } = await db.insertInto('bench_runs').values(run).returning('id').executeTakeFirstOrThrow()
  await db.insertInto('feedback').values({ message_id, user_id, rating: 'up', is_shown: true }).execute()
  return { benchSetId: set_id, benchCaseId: one.id, benchRunId: id, replyId: message_id, readerId: user_id }
}

async function anEmbedOf(app: TestApp, owner: TestUser, assistantId: string) {
  const { embedId, token } = await anEmbed(app, owner, assistantId)
  return { embedId, embedToken: token }
}

/** Returns a document's passage in the library's collection. */
async function anObject(
  { deps }: TestApp,
  { id: user_id }: TestUser,
  { chunkId: id, documentId: document_id }: { chunkId: string; documentId: string },
): Promise<string> {
  const { table_name, spec } = await ensureLibrary(deps, 384)
  await deps.vectors.table(table_name, spec).put([aRow({ id, document_id, user_id })])
  return id
}

/** Creates a job of the installation that never starts. */
async function aJob({ deps: { db, jobs } }: TestApp): Promise<string> {
  const key = randomUUID()
  await jobs.add('nobody.does', {}, { key, runAt: new Date(4e12) })
  const { rows } = await sql<{ id: string }>`
    select id::text as id from graphile_worker.jobs where key = ${key}`.execute(db)
  return rows[0]?.id ?? ''
}

/** Creates a sign-in and a media ticket for a document. */
async function aSignIn(
  { deps: { db, clock, secrets } }: TestApp,
  { id: user_id }: TestUser,
  { documentId: id }: { documentId: string },
): Promise<{ signInId: string; ticket: string }> {
  const times = { created_at: clock.now(), last_used_at: clock.now(), expires_at: new Date(4e12) }
  const values = { token_hash: randomBytes(32), user_id, ...times }
  const made = await db.insertInto('access_tokens').values(values).returning('id').executeTakeFirstOrThrow()
  const signIn = values.token_hash.toString('base64url')
  const ticket = secrets.seal(JSON.stringify({ id, version: 1, signIn, until: 4e12 }))
  return { signInId: made.id, ticket }
}

async function aFile({ deps: { db, files } }: TestApp, owner: TestUser): Promise<string> {
  const [id, file_key] = [randomUUID(), `input/${owner.id}/${randomUUID()}`]
  const { size } = await files.write(file_key, Readable.from([Buffer.from('1a45dfa3', 'hex')]), {
    maxBytes: 100,
  })
  const row = { id, user_id: owner.id, file_key, name: 'a.webm', media_type: 'audio/webm', size }
  await db.insertInto('input_files').values(row).execute()
  return id
}

async function anExport({ deps: { db, files } }: TestApp, owner: TestUser, session_id: string) {
  const id = randomUUID()
  const { key: file_key } = await files.write(`exports/${id}/file`, Readable.from(['# Chat']))
  const times = { created_at: new Date(), expires_at: new Date(4e12) }
  const row = { id, user_id: owner.id, session_id, kind: 'chat' as const, wish: '{}', name: 'chat.md' }
  await db
    .insertInto('exports')
    .values({ ...row, ...times, state: 'ready', file_key, size: 6 })
    .execute()
  return id
}

/** Creates an import that can be started, of a file that contains nothing. */
async function anImport({ deps: { db, files } }: TestApp, owner: TestUser): Promise<string> {
  const upload_id = randomUUID()
  await files.write(`uploads/${upload_id}/0`, Readable.from([Buffer.from('[]')]))
  const times = { created_at: new Date(), updated_at: new Date() }
  const row = { user_id: owner.id, upload_id, name: 'export.json', size: 2, parts: [0], total: 0, ...times }
  const made = await db
    .insertInto('imports')
    .values({ ...row, state: 'ready', format: 'chatgpt' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

async function anImportUpload({ deps: { db, files } }: TestApp, owner: TestUser): Promise<string> {
  const id = randomUUID()
  await files.write(`uploads/${id}/0`, Readable.from([Buffer.from('[]')]))
  const row = { id, user_id: owner.id, name: 'export.json', size: 2, received: 2, parts: [0] }
  await db
    .insertInto('uploads')
    .values({ ...row, options: '{}', is_import: true })
    .execute()
  return id
}

async function anInvitation({ deps }: TestApp, owner: TestUser, company_id: string): Promise<string> {
  const row = {
    ...{ company_id, role: 'member' as const, email: 'ines@example.com', invited_by: owner.id },
    ...{ created_at: deps.clock.now(), expires_at: new Date(4e12) },
  }
  const made = await deps.db.insertInto('invitations').values(row).returning('id').executeTakeFirstOrThrow()
  return made.id
}

/** Creates a colleague of the owner who makes no calls, so that changes to their account affect no others. */
async function aBystander(app: TestApp, companyId: string): Promise<string> {
  const { db } = app.deps
  const username = `bystander-${companyId.slice(0, 8)}`
  const known = db.updateTable('users').set({ deactivated_at: null }).where('username', '=', username)
  const found = await known.returning('id').executeTakeFirst()
  return found?.id ?? (await aUser(app, { role: 'member', companyId, username })).id
}

/** Creates an access to the owner's chats for each super admin. The caller's own is the newest. */
async function aChatAccess({ deps: { db } }: TestApp, owner: TestUser, bystander: string): Promise<string> {
  const roots = db.selectFrom('company_members').select('user_id').where('role', '=', 'super_admin')
  const [root] = await roots.orderBy('user_id').limit(1).execute()
  // The table calls a route twice for the same user, and an access that is still open would interfere.
  await db.deleteFrom('chat_accesses').where('user_id', '=', bystander).execute()
  const row = {
    user_id: owner.id,
    admin_id: root?.user_id ?? null,
    admin_name: 'Root',
    reason: 'They asked.',
  }
  const times = { created_at: new Date(), expires_at: new Date(4e12) }
  const made = db
    .insertInto('chat_accesses')
    .values({ ...row, ...times })
    .returning('id')
  return (await made.executeTakeFirstOrThrow()).id
}

async function aGroup({ deps }: TestApp, company_id: string): Promise<string> {
  const row = { company_id, name: randomUUID() }
  const made = await deps.db.insertInto('groups').values(row).returning('id').executeTakeFirstOrThrow()
  return made.id
}

async function aPasskey({ deps }: TestApp, owner: TestUser): Promise<string> {
  const row = {
    ...{ user_id: owner.id, credential_id: randomUUID(), name: 'Notebook', public_key: Buffer.from('x') },
    ...{ counter: 0, created_at: deps.clock.now() },
  }
  const made = await deps.db.insertInto('passkeys').values(row).returning('id').executeTakeFirstOrThrow()
  return made.id
}

async function aChannel({ deps }: TestApp, companyId: string, kind = 'slack'): Promise<string> {
  // The number of connections has a limit.
  await sql`delete from channels where id not in (select id from channels order by created_at desc, id limit 20)`.execute(
    deps.db,
  )
  const sealed = deps.secrets.seal('secret')
  const { rows } = await sql<{ id: string }>`
    insert into channels (company_id, kind, name, address, secret_sealed, token_sealed)
    values (${companyId}, ${kind}, 'Channel', 'http://127.0.0.1:9', ${sealed}, ${sealed}) returning id`.execute(
    deps.db,
  )
  return rows[0]?.id ?? ''
}

async function aDatabase({ deps }: TestApp): Promise<string> {
  const row = {
    ...{ name: `db-${randomUUID()}`, kind: 'postgres' as const, host: '127.0.0.1', port: 9, database: 'erp' },
    ...{ role: 'reader', tls: 'off' as const, limit_seconds: 1, limit_rows: 1, tables: '[]' },
  }
  // The list has a limit.
  await sql`delete from databases where host = '127.0.0.1'
    and id not in (select id from databases order by created_at desc, id limit 20)`.execute(deps.db)
  const made = await deps.db.insertInto('databases').values(row).returning('id').executeTakeFirstOrThrow()
  return made.id
}

/** Places a legal hold on a project of its own. */
async function aHold(app: TestApp, owner: TestUser): Promise<string> {
  const projectId = await aProject(app, owner.id)
  const { rows } = await sql<{
    id: string
  }>`insert into legal_holds (workspace_id, name, reason, placed_by, placed_at)
    values (${projectId}, 'Orsane', 'A claim', 'ada', now()) returning id`.execute(app.deps.db)
  return rows[0]?.id ?? ''
}

async function aConnection({ deps }: TestApp): Promise<string> {
  const row = {
    provider: `p-${randomUUID()}`,
    name: 'Other',
    kind: 'compatible',
    base_url: 'http://127.0.0.1:9/v1',
  }
  // The list has a limit.
  await deps.db.deleteFrom('model_connections').where('name', '=', 'Other').execute()
  const made = await deps.db
    .insertInto('model_connections')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}
