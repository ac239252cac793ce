import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { ensureLibrary } from '../../../src/server/collections/collections.ts'
import { hashOf, newToken } from '../../../src/server/shares/token.ts'
import { anApiKey } from '../api-key.ts'
import type { TestApp } from '../app.ts'
import { aSession, type TestUser } from '../builders.ts'
import { aDocument } from '../stored-document.ts'
import { aMedium } from '../stored-media.ts'
import { aRow } from '../vector-row.ts'

/** One of each kind of thing, and what names it in paths, queries and bodies. */
export type Things = Awaited<ReturnType<typeof someThings>>

type Whose = { owner: TestUser; companyId: string; isShared: boolean; hasVectors?: boolean }

/** New things of the owner: an answered chat that asks, its checkpoint, execution and file, an assistant, a connection. */
export async function someThings(app: TestApp, { owner, companyId, isShared, hasVectors = true }: Whose) {
  const { db } = app.deps
  const { id: sessionId, messageIds } = await aSession(app, owner, { turns: 1, title: 'Owned' })
  const [question = '', reply = ''] = messageIds
  const run = await db
    .insertInto('runs')
    .values({
      ...{ user_id: owner.id, session_id: sessionId, user_message_id: question, message_id: reply },
      ...{ agent_type: 'multi_turn', agent_version: 1, state: 'completed' },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const said = { event: 'checkpoint_created', checkpoint_name: 'step1', kind: 'before_step' }
  await db
    .insertInto('run_records')
    .values({
      ...{ run_id: run.id, position: 1, key: 'step1', kind: 'checkpoint', epoch: 1 },
      value: JSON.stringify({ events: [said] }),
    })
    .execute()
  const executionId = randomUUID()
  const call = { run_id: run.id, user_id: owner.id, session_id: sessionId }
  await db
    .insertInto('tool_executions')
    .values({ ...call, id: executionId, tool_id: 'calculator', input: '{}', status: 'completed' })
    .execute()
  const request = {
    type: 'input_required',
    id: 'q',
    kind: 'question',
    checkpoint_name: 'ask',
    prompt: 'Which?',
  }
  await db
    .insertInto('input_requests')
    .values({
      ...{ ...call, key: 'ask', tool_execution_id: executionId, checkpoint_name: 'ask' },
      // The newest is the first that is due, so that it stands on the first page.
      deadline: new Date(4e12 - Date.now()),
      request: JSON.stringify({ ...request, input_types: ['text'], state: 'waiting' }),
    })
    .execute()
  const document = await aDocument(app, owner)
  const mediaId = await aMedium(app, owner, run.id)
  return {
    ...{ sessionId, messageId: reply, question, branchId: question, runId: run.id, executionId },
    checkpointId: `${run.id}:step1`,
    ...{
      fileId: await aFile(app, owner),
      ...{ mediaId, pictureId: mediaId, ...(await aLink(app, owner, sessionId, reply, document)) },
      exportId: await anExport(app, owner, sessionId),
      assistantId: await anAssistant(app, owner, isShared ? companyId : null),
    },
    ...(await aSignIn(app, owner, document)),
    ...document,
    // By far the longest to make.
    objectId: hasVectors ? await anObject(app, owner, document) : document.chunkId,
    keyId: await aKey(app, owner),
    ...{ connectionId: await aConnection(app), userId: owner.id, companyId },
    invitationId: await anInvitation(app, owner, companyId),
    ...(await aTool(app, owner, isShared ? companyId : null)),
    ...{ provider: 'google', lng: 'en', ns: 'common', version: '1', collection: 'Documents' },
    passkeyId: await aPasskey(app, owner),
  }
}

/** The passage of a document as the library's collection has it. */
async function anObject(
  { deps }: TestApp,
  { id: user_id }: TestUser,
  { chunkId: id, documentId: document_id }: { chunkId: string; documentId: string },
): Promise<string> {
  const { table_name, spec } = await ensureLibrary(deps, 384)
  await deps.vectors.table(table_name, spec).put([aRow({ id, document_id, user_id })])
  return id
}

/** A sign-in, and what plays a document in its name. */
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

/** A tool of the owner's, alone in its set. */
async function aTool(
  { deps: { db } }: TestApp,
  { id: user_id }: TestUser,
  company_id: string | null,
): Promise<{ toolId: string; toolSetId: string }> {
  const set = { user_id, kind: 'api' as const, name: 'A tool', connection: '{}' }
  const made = await db.insertInto('own_tool_sets').values(set).returning('id').executeTakeFirstOrThrow()
  const id = `t${randomUUID().slice(0, 7)}_a_tool`
  const call = { method: 'GET', address: 'http://127.0.0.1:9/', inputs: [] }
  const words = { name: 'A tool', description: 'Calls nobody.', icon: null }
  await db
    .insertInto('own_tools')
    .values({ id, set_id: made.id, user_id, key: 'call', policy: null })
    .execute()
  await db
    .insertInto('own_tool_versions')
    .values({ tool_id: id, version: 1, ...words, definition: JSON.stringify(call) })
    .execute()
  if (company_id) await db.insertInto('own_tool_shares').values({ set_id: made.id, company_id }).execute()
  return { toolId: id, toolSetId: made.id }
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

async function aKey(app: TestApp, owner: TestUser): Promise<string> {
  const { key } = await anApiKey(app, owner)
  return key.id
}

/** A link to a branch with one file. */
async function aLink(
  { deps: { db, secrets } }: TestApp,
  { id: user_id }: TestUser,
  session_id: string,
  leaf_id: string,
  { documentId: document_id }: { documentId: string },
) {
  const [id, token] = [randomUUID(), newToken()]
  const link = { id, user_id, session_id, leaf_id, token_hash: hashOf(token), token: secrets.seal(token) }
  const facts = { title: 'Owned', messages: 2, hides_steps: true, created_at: new Date(), expires_at: null }
  await db
    .insertInto('share_links')
    .values({ ...link, ...facts })
    .execute()
  await db.insertInto('share_link_files').values({ link_id: id, place: 1, document_id, version: 1 }).execute()
  return { linkId: id, token, place: '1' }
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

async function anAssistant({ deps }: TestApp, owner: TestUser, company_id: string | null): Promise<string> {
  const row = { user_id: owner.id, company_id, name: 'Ada', status: 'published' as const }
  const { id } = await deps.db.insertInto('assistants').values(row).returning('id').executeTakeFirstOrThrow()
  const content = {
    ...{ name: 'Ada', description: '', icon: null, agent_type: 'multi_turn', model_name: null },
    ...{ system_prompt: '', example_prompts: [], temperature: null, documents: [], tools: null },
  }
  const version = { assistant_id: id, version: 1, saved_by: owner.id, content: JSON.stringify(content) }
  await deps.db
    .insertInto('assistant_versions')
    .values({ ...version, changed: '[]' })
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

async function aPasskey({ deps }: TestApp, owner: TestUser): Promise<string> {
  const row = {
    ...{ user_id: owner.id, credential_id: randomUUID(), name: 'Notebook', public_key: Buffer.from('x') },
    ...{ counter: 0, created_at: deps.clock.now() },
  }
  const made = await deps.db.insertInto('passkeys').values(row).returning('id').executeTakeFirstOrThrow()
  return made.id
}

async function aConnection({ deps }: TestApp): Promise<string> {
  const row = {
    provider: `p-${randomUUID()}`,
    name: 'Other',
    kind: 'compatible',
    base_url: 'http://127.0.0.1:9/v1',
  }
  // Only so many are listed.
  await deps.db.deleteFrom('model_connections').where('name', '=', 'Other').execute()
  const made = await deps.db
    .insertInto('model_connections')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}
