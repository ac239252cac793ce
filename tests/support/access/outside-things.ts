import { randomUUID } from 'node:crypto'
import { hashOf, newToken } from '../../../src/server/chat/shares/token.ts'
import { anApiKey } from '../api-key.ts'
import type { TestApp } from '../app.ts'
import { aSession, type TestUser } from '../builders.ts'

/** Creates a link to a branch with one file. */
export async function aLink(
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
  // A receipt can be found by a token too.
  const receipt = { token_hash: hashOf(token), asked_by: 'person' as const, language: 'en' }
  const times = { requested_at: new Date(), finished_at: new Date() }
  await db
    .insertInto('erasures')
    .values({ ...receipt, ...times, step: 'done' })
    .execute()
  return { linkId: id, token, place: '1' }
}

/** Creates a webhook with a failed delivery. */
export async function aWebhook({ deps: { db, secrets } }: TestApp, { id: user_id }: TestUser) {
  const row = {
    user_id,
    company_id: null,
    name: 'ERP',
    url: 'http://127.0.0.1:9/',
    events: ['run.finished' as const],
  }
  await db.deleteFrom('webhooks').where('user_id', '=', user_id).execute()
  const secret = secrets.seal('whsec_eA==')
  const { id: webhook_id } = await db
    .insertInto('webhooks')
    .values({ ...row, secret })
    .returning('id')
    .executeTakeFirstOrThrow()
  const told = { webhook_id, type: 'run.finished', data: '{}', state: 'failed' as const, next_at: null }
  const { id } = await db
    .insertInto('webhook_deliveries')
    .values(told)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { webhookId: webhook_id, memberWebhookId: webhook_id, deliveryId: id }
}

/** Creates an API key. */
export async function aKey(app: TestApp, owner: TestUser) {
  const { key } = await anApiKey(app, owner)
  return { keyId: key.id, memberKeyId: key.id }
}

/** Creates an answered call of the owner's program, and a model with its name. */
export async function aCall(app: TestApp, owner: TestUser) {
  const { db } = app.deps
  const { id: session_id, messageIds } = await aSession(app, owner, { turns: 1, title: 'atrium/offline' })
  const [user_message_id = '', message_id = ''] = messageIds
  await db.updateTable('sessions').set({ origin: 'program' }).where('id', '=', session_id).execute()
  const run = { user_id: owner.id, session_id, user_message_id, message_id, agent_version: 1 }
  await db
    .insertInto('runs')
    .values({ ...run, agent_type: 'multi_turn', state: 'completed' })
    .execute()
  return { completionId: `chatcmpl-${session_id}`, responseId: `resp_${session_id}`, id: 'atrium/offline' }
}
