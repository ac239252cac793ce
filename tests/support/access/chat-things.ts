import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { TestApp } from '../app.ts'
import type { TestUser } from '../builders.ts'
import { anEmbed } from '../visit.ts'

/** Creates a fact that was learned in a chat. */
export async function aFact({ deps: { db } }: TestApp, owner: TestUser, session_id: string): Promise<string> {
  const text = `The year begins in ${randomUUID()}`
  const row = { user_id: owner.id, text, words: text, origin: 'remember' as const, session_id }
  return (await db.insertInto('facts').values(row).returning('id').executeTakeFirstOrThrow()).id
}

/** Creates a waiting message that nothing starts, because it was refused. */
export async function aQueuedMessage(
  { deps: { db } }: TestApp,
  { id: user_id }: TestUser,
  session_id: string,
) {
  const row = { session_id, user_id, way: 'queue' as const, client_id: randomUUID(), content: 'Later' }
  const queued = db.insertInto('queued_messages').values({ ...row, position: 1, failure: 'not_available' })
  return (await queued.returning('id').executeTakeFirstOrThrow()).id
}

/** Creates a question set with a question and a run, and feedback that can become a question. */
export async function aBench({ deps: { db } }: TestApp, { id: user_id }: TestUser, message_id: string) {
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

export async function anEmbedOf(app: TestApp, owner: TestUser, assistantId: string) {
  const { embedId, token } = await anEmbed(app, owner, assistantId)
  return { embedId, embedToken: token }
}

export async function aFile({ deps: { db, files } }: TestApp, owner: TestUser): Promise<string> {
  const [id, file_key] = [randomUUID(), `input/${owner.id}/${randomUUID()}`]
  const { size } = await files.write(file_key, Readable.from([Buffer.from('1a45dfa3', 'hex')]), {
    maxBytes: 100,
  })
  const row = { id, user_id: owner.id, file_key, name: 'a.webm', media_type: 'audio/webm', size }
  await db.insertInto('input_files').values(row).execute()
  return id
}

export async function anExport({ deps: { db, files } }: TestApp, owner: TestUser, session_id: string) {
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
export async function anImport({ deps: { db, files } }: TestApp, owner: TestUser): Promise<string> {
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

export async function anImportUpload({ deps: { db, files } }: TestApp, owner: TestUser): Promise<string> {
  const id = randomUUID()
  await files.write(`uploads/${id}/0`, Readable.from([Buffer.from('[]')]))
  const row = { id, user_id: owner.id, name: 'export.json', size: 2, received: 2, parts: [0] }
  await db
    .insertInto('uploads')
    .values({ ...row, options: '{}', is_import: true })
    .execute()
  return id
}
