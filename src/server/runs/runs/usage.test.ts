import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { fails, says, waits } from '#tests/model-server.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ model: { models: ['scripted', 'priced', 'given'] } })
  await chat.app.deps.db
    .insertInto('model_overrides')
    .values([
      { model_id: 'compatible/priced', input_price: 1_000_000, output_price: 2_000_000 },
      { model_id: 'compatible/given', input_price: 0, output_price: 0 },
    ])
    .execute()
})
afterAll(() => chat.close())

async function ask(modelName: string) {
  const id = await chat.aSession({ modelName: `compatible/${modelName}` })
  const stream = await chat.ask(id, 'Hello')
  await stream.ended
  const { body } = await chat.call('GET', `/sessions/${id}/active-branch`)
  return { id, end: stream.events.at(-1)?.event, reply: body.active_branch.at(-1) }
}
const ledgerOf = (session: string) =>
  chat.app.deps.db
    .selectFrom('ledger_entries')
    .select(['amount', 'input_tokens', 'output_tokens'])
    .where('session_id', '=', session)
    .where('step_key', '<>', 'belief')
    .execute()

describe('the usage of a reply', () => {
  it('is in its end event and in the stored message: tokens and price as in the ledger', async () => {
    const { id, end, reply } = await ask('priced')
    const [entry] = await ledgerOf(id)
    const { input_tokens, output_tokens } = entry!
    expect(reply.metadata.usage).toMatchObject({ calls: 1, input_tokens, output_tokens, unpriced: false })
    expect(reply.metadata.usage.amount).toBe(-entry!.amount)
    expect(reply.metadata.usage.amount).toBe(input_tokens! + 2 * output_tokens!)
    expect(end).toMatchObject({ usage: reply.metadata.usage })
    const late = await chat.follow(`/sessions/${id}/task-stream`)
    await late.ended
    expect(late.view()?.usage).toEqual(reply.metadata.usage)
  })

  it('has an unknown price, or 0', async () => {
    expect((await ask('scripted')).reply.metadata.usage).toMatchObject({ amount: 0, unpriced: true })
    expect((await ask('given')).reply.metadata.usage).toMatchObject({ amount: 0, unpriced: false })
  })

  it('is reported for a stopped reply, together with the stop', async () => {
    const id = await chat.aSession({ modelName: 'compatible/priced' })
    chat.model.reply([says('A word'), waits(new Promise(() => {}))])
    const stream = await chat.ask(id, 'Hello')
    await stream.until('response_chunk')
    await chat.call('POST', `/sessions/${id}/stop`)
    await stream.ended
    const { metadata } = (await chat.call('GET', `/sessions/${id}/active-branch`)).body.active_branch.at(-1)
    const [entry] = await ledgerOf(id)
    const { input_tokens, output_tokens } = entry!
    expect(metadata).toMatchObject({
      stopped: true,
      usage: { calls: 1, amount: -entry!.amount, input_tokens, output_tokens, estimated: true },
    })
    const { body } = await chat.call('GET', `/sessions/${id}`)
    expect(body.preview).toBe('A word')
  })

  it('is empty for a failed reply, which is not charged', async () => {
    chat.model.reply([fails(400)])
    const { reply } = await ask('priced')
    expect(reply.status).toBe('error')
    expect(reply.metadata.usage).toMatchObject({ calls: 0, amount: 0 })
  })
})
