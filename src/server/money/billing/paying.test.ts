import { afterEach, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { says } from '#tests/model-server.ts'

let chat: Chat
afterEach(() => chat.close())

/** Creates a user with a balance, and a model that costs 10 dollars per thousand input words and 50 per thousand output words. */
async function aPaidChat(balance: number) {
  chat = await startChat({ app: { config: { ATRIUM_BILLING: 'on' } }, user: { balance } })
  const prices = { input_price: 10_000, output_price: 50_000, offered: true, context_tokens: null }
  const values = { model_id: 'compatible/scripted', ...prices }
  await chat.app.deps.db.insertInto('model_overrides').values(values).execute()
  chat.model.always(() => [says('Well then.')])
}
const balance = async () => (await chat.call('GET', '/users/me')).body.balance as number

it('a reply reduces the balance by its cost [BI-05]', async () => {
  await aPaidChat(100)
  const id = await chat.aSession()
  await (await chat.ask(id, 'Hi')).ended
  const [, answer] = (await chat.call('GET', `/sessions/${id}/active-branch`)).body.active_branch
  const { input_tokens, output_tokens } = answer.metadata.usage
  const cost = (input_tokens * 10_000 + output_tokens * 50_000) / 1_000_000
  expect(cost).toBeGreaterThan(0)
  expect(await balance()).toBeCloseTo(100 - cost, 6)
})

it('an empty balance refuses uploads, messages, regenerations and edits with 402 [BI-05]', async () => {
  await aPaidChat(0)
  const id = await chat.aSession({ turns: 1 })
  const [question, answer] = (await chat.call('GET', `/sessions/${id}/active-branch`)).body.active_branch
  const refused = {
    status: 402,
    body: { code: 'insufficient_balance', detail: 'Insufficient balance. Please top up to continue.' },
  }
  const { upload } = await aReader(chat.app, chat.url, chat.user)
  expect(await upload({ name: 'note.txt', content: 'x', fields: { chat_session_id: id } })).toMatchObject(
    refused,
  )
  const messages = `/sessions/${id}/messages`
  expect(await chat.call('POST', messages, { content: 'Hi' })).toMatchObject(refused)
  expect(await chat.call('POST', `${messages}/${answer.id}/regenerate`, {})).toMatchObject(refused)
  const edit = `${messages}/${question.id}/edit-and-regenerate`
  expect(await chat.call('POST', edit, { content: 'Changed' })).toMatchObject(refused)
  expect((await chat.call('GET', '/documents')).body.total).toBe(0)
  expect((await chat.call('GET', `/sessions/${id}/active-branch`)).body).toMatchObject({
    total: 2,
    branch_count: 1,
  })
})
