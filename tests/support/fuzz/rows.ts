import { join } from 'node:path'
import { sql } from 'kysely'
import { hashSecret, issueToken } from '../../../src/server/identity/accounts/tokens/access-token-store.ts'
import { createNetworks } from '../../../src/server/platform/access/networks.ts'
import { createLocalFiles } from '../../../src/server/platform/files/local-files.ts'
import { createSecrets } from '../../../src/server/platform/secrets.ts'
import { someThings, type Things } from '../access/things.ts'
import type { TestApp } from '../app.ts'
import { aBelief, aCompany, aSession, aUser, type TestUser } from '../builders.ts'
import { openStream } from '../event-stream.ts'
import { calls, says } from '../model-server.ts'
import { aDocument } from '../stored-document.ts'
import { aMedium } from '../stored-media.ts'
import { aVisitor } from '../visit.ts'
import type { FuzzedProduct } from './fuzzed-product.ts'
import type { Known } from './values.ts'
import { addCollections, objectIds } from './vector-rows.ts'

export type Who = 'anonymous' | 'visitor' | 'user' | 'company_admin' | 'super_admin' | 'stranger'
export type People = {
  /** The user whose rows are created. */
  userId: string
  tokens: Record<Who, string | null>
  /** Names of rows, mostly of the user, some of strangers. */
  known: Known
  aDisposableToken: (who: Who) => Promise<string | null>
  /** Occurs in all private texts of the user: titles, messages, names of documents and workspaces. */
  mark: string
  /** Creates new things of the user. */
  someThings: () => Promise<Things>
}

/** Returns whether a route may revoke the token it is called with. */
export const endsTokens = ({ name }: { name: string }) =>
  ['DELETE /token', 'DELETE /users/me/tokens', 'POST /users/me/change-password'].includes(name)

type App = Pick<TestApp, 'deps'>
type Maker = { app: App; user: TestUser; url: string; fuzzed: FuzzedProduct; add: Add }
type Add = (name: string, ...values: unknown[]) => void

/** Creates people of every kind, and rows of every kind for one of them, mostly through the API. */
export async function fillProduct(fuzzed: FuzzedProduct): Promise<People> {
  const { dataDir } = fuzzed.product
  const files = createLocalFiles(join(dataDir, 'files'))
  const secrets = createSecrets({ ATRIUM_SECRET_KEY: undefined, dataDir })
  const app = {
    deps: {
      ...{ db: fuzzed.db, files, clock: { now: () => new Date() }, secrets },
      networks: createNetworks({
        ...{ db: fuzzed.db, log: { warn: () => undefined } },
        instance: { listen: async () => undefined, onLost: () => undefined, onRenewed: () => undefined },
      }),
      // A job that no worker takes for a long time.
      jobs: {
        add: (name: string, payload: object, { key, runAt }: { key: string; runAt: Date }) =>
          sql`select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, run_at => ${runAt}, job_key => ${key})`.execute(
            fuzzed.db,
          ),
      },
    },
  } as unknown as TestApp
  const companyId = await aCompany(app)
  // Its members may share, so that requests of the user reach the code behind that check.
  await app.deps.db
    .updateTable('companies')
    .set({ members_share: true })
    .where('id', '=', companyId)
    .execute()
  const user = await aUser(app, { role: 'member', companyId })
  const admin = await aUser(app, { role: 'company_admin', companyId })
  const root = await aUser(app, { role: 'super_admin', companyId })
  const stranger = await aUser(app, { role: 'member', companyId: await aCompany(app) })
  const visitor = await aVisitor(app, user)
  const pool = new Map<string, unknown[]>()
  const add: Add = (name, ...values) => pool.set(name, [...(pool.get(name) ?? []), ...values])
  const maker = { app, user, url: `${fuzzed.product.url}/api/v1`, fuzzed, add }
  await addConversations(maker)
  await addFiles(maker)
  await addOthers(maker, root)
  await addCollections(fuzzed, maker.url, root)
  // A separate user, whose sign-ins are ended and who is locked out.
  add('userId', (await aUser(app, { role: 'member', companyId })).id, (await aUser(app)).id)
  addWords(maker)
  const mark = 'only the user reads this'
  await markOwn(fuzzed.db, user.id, mark)
  return {
    mark,
    userId: user.id,
    tokens: {
      ...{ anonymous: null, user: user.token, company_admin: admin.token, super_admin: root.token },
      ...{ stranger: stranger.token, visitor: visitor.token },
    },
    known: (name) => pool.get(name) ?? pool.get(aliases[name] ?? '') ?? [],
    someThings: async () => {
      const things = await someThings(app, { owner: user, companyId, isShared: false, hasVectors: false })
      // The user is their own colleague, because no other member sends requests.
      await sql`update schedules set transfer_to = case when transfer_to is null then null else user_id end,
        deputy_id = case when deputy_id is null then null else user_id end`.execute(fuzzed.db)
      return things
    },
    aDisposableToken: async (who) => {
      if (who === 'anonymous') return null
      if (who === 'visitor') return visitor.token
      const role = who === 'user' || who === 'stranger' ? 'member' : who
      return (await aUser(app, { role, companyId })).token
    },
  }
}

async function markOwn(db: FuzzedProduct['db'], user_id: string, mark: string): Promise<void> {
  const owned = db.selectFrom('sessions').select('id').where('user_id', '=', user_id)
  const content = sql<string>`content || ' ' || ${mark}::text`
  await db.updateTable('messages').set({ content }).where('session_id', 'in', owned).execute()
  const title = sql<string>`title || ' ' || ${mark}::text`
  await db.updateTable('sessions').set({ title }).where('user_id', '=', user_id).execute()
  const name = sql<string>`${mark}::text || ' ' || name`
  for (const table of ['documents', 'workspaces', 'access_keys', 'own_tool_sets'] as const)
    await db.updateTable(table).set({ name }).where('user_id', '=', user_id).execute()
}

const aliases: Record<string, string> = {
  ...{ session_id: 'sessionId', chat_session_id: 'sessionId', branchId: 'messageId', before: 'messageId' },
  ...{ after: 'messageId', around: 'messageId' },
  ...{ collection_name: 'collection', object_id: 'objectId' },
  ...{ document_id: 'documentId', workspace_id: 'workspaceId', chunk_id: 'chunkId' },
  ...{ parent_id: 'messageId', message_id: 'messageId', assistant_id: 'assistantId', tool_id: 'toolId' },
  ...{ checkpoint_hint: 'checkpointId', a: 'checkpointId', b: 'checkpointId' },
}

/** Adds answered, planned, questioning, waiting and interrupted chats. */
async function addConversations({ app, user, url, fuzzed: { db, model }, add }: Maker): Promise<void> {
  const main = await aSession(app, user, { turns: 4, modelName: 'compatible/scripted' })
  // Most requests use one chat, so that the messages they name often belong to it.
  add('sessionId', ...Array(12).fill(main.id))
  add('messageId', ...main.messageIds)
  await aBelief(app, user, { messageId: main.messageIds[1] ?? '', goals: ['Go'] })
  const ask = async (modelName: string, content: string, metadata: Record<string, unknown> = {}) => {
    const isRare = metadata.agent_type !== undefined || content === 'Ask'
    const { id } = await aSession(app, user, { modelName, metadata })
    const stream = await openStream(`${url}/sessions/${id}/messages`, {
      ...{ method: 'POST', headers: user.headers, body: { content } },
    })
    await stream.ended
    // Used more often, for routes that need what only they have.
    add('sessionId', ...Array(isRare ? 4 : 1).fill(id))
    return id
  }
  const scripted = 'compatible/scripted'
  await ask('atrium/offline', 'Add 2 and 3, then multiply it by 7', { agent_type: 'plan_and_act' })
  const sum = calls('calculator', { a: 1, b: 2, operation: 'add' })
  model.reply([sum], [says('3')])
  await ask(scripted, 'Go')
  const json = { prompt: 'Which?', input_types: ['json'], skippable: true }
  for (const question of [{ prompt: 'Which?' }, json, form, form, form]) {
    model.reply([calls('ask_person', question)])
    await ask(scripted, 'Ask')
  }
  model.reply([calls('ask_person', { prompt: 'Which?' })])
  add('session that asks', await ask(scripted, 'Ask'))
  await db
    .insertInto('tool_policies')
    .values({ user_id: user.id, tool_id: 'calculator', policy: 'ask' })
    .execute()
  for (let n = 0; n < 3; n += 1) {
    model.reply([sum])
    await ask(scripted, 'Go')
  }
  await db.deleteFrom('tool_policies').execute()
  await markInterrupted(db)
}

const form = {
  prompt: 'Which?',
  fields: ['text', 'json', 'boolean', 'document', 'image', 'audio', 'video', 'constructor'].map((type) => ({
    ...{ name: type, label: type, type },
  })),
}

/** Turns one question into one about an interrupted call, which otherwise requires a crashed server. */
async function markInterrupted(db: FuzzedProduct['db']): Promise<void> {
  const { key, run_id, request } = await db
    .selectFrom('input_requests')
    .select(['key', 'run_id', 'request'])
    .where('state', '=', 'waiting')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('input_requests')
    .set({ request: JSON.stringify({ ...(request as object), kind: 'interrupted' }) })
    .where('run_id', '=', run_id)
    .where('key', '=', key)
    .execute()
}

async function addFiles({ app, url, user, add }: Maker): Promise<void> {
  const files = [
    ['a.png', 'image/png', '89504e470d0a1a0a'],
    ['a.webm', 'audio/webm', '1a45dfa3'],
    ['a.txt', 'text/plain', '61'],
  ] as const
  for (const [name, type, bytes] of files) {
    const body = new FormData()
    body.append('file', new Blob([new Uint8Array(Buffer.from(bytes, 'hex'))], { type }), name)
    const answer = await fetch(`${url}/input-files`, { method: 'POST', headers: user.headers, body })
    add('fileId', ((await answer.json()) as { id: string }).id)
  }
  const runs = app.deps.db.selectFrom('runs').select('id').where('user_id', '=', user.id)
  const run = await runs.orderBy('created_at').limit(1).executeTakeFirstOrThrow()
  add('mediaId', await aMedium(app, user, run.id))
}

/** Adds failed documents in workspaces, which can be retried, and started uploads. */
async function addLibrary({ app, url, user, add }: Maker, stranger: TestUser): Promise<void> {
  for (const owner of [user, user, user, user, stranger]) {
    const { name, ...ids } = await aDocument(app, owner)
    for (const [key, id] of Object.entries(ids)) add(key, id)
    add('name', name)
  }
  const { documentId } = await aDocument(app, user)
  const recording = { name: 'a.mp3', extension: 'mp3', format: 'mp3' }
  await app.deps.db.updateTable('documents').set(recording).where('id', '=', documentId).execute()
  add('recordingId', documentId)
  const playback = await fetch(`${url}/documents/${documentId}/playback`, {
    method: 'POST',
    headers: { ...user.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ version: 1 }),
  })
  add('ticket', ((await playback.json()) as { ticket: string }).ticket)
}

async function addOthers(maker: Maker, root: TestUser): Promise<void> {
  const { app, user, url, add } = maker
  const { db } = maker.fuzzed
  const tools = ['calculator']
  const assistant = { name: 'Ada', description: 'Helps', instructions: 'Be brief.', agent_type: 'multi_turn' }
  add('assistantId', await create(`${url}/assistants`, user, { ...assistant, model_name: null, tools }))
  const connection = { kind: 'compatible', provider: 'other', name: 'Other', api_key: 'x' }
  const base_url = 'http://127.0.0.1:9/v1'
  add('connectionId', await create(`${url}/model-connections`, root, { ...connection, base_url }))
  for (let n = 0; n < 3; n += 1) {
    const token = await issueToken(app.deps, user.id, { userAgent: null, address: '127.0.0.1' })
    const issued = db.selectFrom('access_tokens').select('id').where('token_hash', '=', hashSecret(token))
    add('signInId', (await issued.executeTakeFirstOrThrow()).id)
  }
  await db.insertInto('identities').values({ provider: 'google', subject: 'x', user_id: user.id }).execute()
  const executions = await db.selectFrom('tool_executions').select('id').execute()
  add('executionId', ...executions.map(({ id }) => id))
  const asking = db
    .selectFrom('input_requests')
    .select('tool_execution_id')
    .where('tool_execution_id', 'is not', null)
  add('execution that asks', String((await asking.executeTakeFirstOrThrow()).tool_execution_id))
  const sessions = await db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute()
  const runs = await db.selectFrom('runs').select('session_id').where('state', '=', 'completed').execute()
  const isIdle = new Set(runs.map(({ session_id }) => session_id))
  for (const { id } of sessions) {
    const answer = await fetch(`${url}/sessions/${id}/checkpoints`, { headers: user.headers })
    const checkpoints = (await answer.json()) as Listed[]
    add('checkpointId', ...checkpoints.map((checkpoint) => checkpoint.id))
    add('checkpoint_name', ...checkpoints.map(({ checkpoint_name }) => checkpoint_name))
    if (!isIdle.has(id)) continue
    for (const { message_id, checkpoint_name } of checkpoints)
      add('place to return to', { id, message_id, checkpoint_name })
  }
  add('session of the root', (await aSession(app, root)).id)
  const stranger = await aUser(app)
  const foreign = await aSession(app, stranger, { turns: 1 })
  add('sessionId', foreign.id)
  add('messageId', foreign.messageIds[0])
  add('companyId', await aCompany(app))
  await addLibrary(maker, stranger)
}

type Listed = { id: string; checkpoint_name: string; message_id: string }

async function create(address: string, { headers }: TestUser, body: object): Promise<string> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { id: string }).id
}

function addWords({ user, add }: Maker): void {
  add('checkpoint_name', ...Array(12).fill('waiting_for_input_1'))
  // Private addresses: they are requested and refused without a connection.
  add('url', 'https://127.0.0.1/', 'https://10.0.0.1/page')
  add('domain', '127.0.0.1')
  add('provider', 'google', 'google', 'openai')
  add('ticket', 'v1.AAAA')
  add('lng', 'en', 'fr', '__proto__')
  add('collection', 'Documents', 'Nothing', 'Suppliers')
  add('objectId', ...objectIds)
  add('ns', 'common', 'streaming_blocks', 'constructor')
  add('toolId', 'calculator', 'weather', 'calculator', 'constructor')
  add('tool_choice', 'calculator', 'weather', '__proto__')
  add('tools', ['calculator'], ['__proto__'], ['constructor', 'toString'], null)
  add('model_name', 'compatible/scripted', 'atrium/offline', '__proto__/constructor', 'constructor')
  add('model', 'compatible/scripted', 'atrium/offline', 'toString')
  add('base_url', 'http://127.0.0.1:9/v1')
  add('inputs', { a: 1, b: 2, operation: 'add' }, { location: 'Paris' }, { constructor: 1 })
  add('username', user.username)
  add('email', user.email)
}
