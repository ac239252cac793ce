import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { playAgent, say } from '#tests/asking.ts'
import { aCompany, aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aNetwork } from '#tests/company-network.ts'
import { acceptTerms, someTerms } from '#tests/company-terms.ts'
import { sealAnswer } from './answer-token.ts'
import { answersOf } from './mail-question.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())
beforeEach(() => chat.app.deps.db.deleteFrom('rate_limits').execute())

const post = async (path: string, payload: object) => {
  const answer = await chat.app.http.inject({ method: 'POST', url: `/api/v1${path}`, payload })
  return { status: answer.statusCode, body: answer.json() }
}
const read = (token: string) => post('/mail-answers/read', { token })
const give = (token: string, answer: string) => post('/mail-answers', { token, answer })
const HOUR_MS = 3_600_000

type Field = { type: 'boolean' | 'choice' | 'text'; options?: string[] }

/** Asks in a new chat. Returns the token that a mail would have, the chat, and the answer the run continues with. */
async function aQuestion(
  field: Field = { type: 'boolean' },
  { until = HOUR_MS, deadline = null as Date | null } = {},
) {
  const given: unknown[] = []
  playAgent([chat.app], async (run) => {
    const { input } = await run.ask('ask', {
      ...{ checkpoint_name: 'ask', prompt: 'May I use the readings?', input_types: [field.type] },
      fields: [{ name: 'answer', label: 'Answer', required: true, ...field }],
      ...(deadline && { deadline: deadline.toISOString() }),
    })
    given.push(input)
    await say(run, 'end', 'Done.')
  })
  const sessionId = await chat.aSession()
  await (await chat.ask(sessionId, 'Go')).ended
  const { run_id, key } = await chat.app.deps.db
    .selectFrom('input_requests')
    .select(['run_id', 'key'])
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const end = new Date(chat.app.deps.clock.now().getTime() + until)
  const seal = (user: { id: string; email: string }, at = end) =>
    sealAnswer(chat.app.deps.secrets, { run_id, key }, user, at)
  return { given, sessionId, run_id, key, seal, token: seal(chat.user) }
}

describe('a link that answers a question of a mail', () => {
  it('answers only after the person has accepted the terms of their company [GV-06]', async () => {
    const companyId = await aCompany(chat.app)
    await chat.app.deps.db
      .insertInto('company_members')
      .values({ company_id: companyId, user_id: chat.user.id, role: 'member' })
      .execute()
    const { token, given } = await aQuestion()
    const termsId = await someTerms(chat.app, companyId)
    expect(await give(token, 'true')).toMatchObject({ status: 403, body: { code: 'terms_due' } })
    await acceptTerms(chat.app, chat.user.id, termsId)
    expect((await give(token, 'true')).status).toBe(200)
    await expect.poll(() => given).toHaveLength(1)
  })

  it('shows the question without signing in and changes nothing until the answer is posted', async () => {
    const { token, given, sessionId } = await aQuestion()
    for (let n = 0; n < 3; n += 1)
      expect(await read(token)).toMatchObject({
        status: 200,
        body: {
          ...{ state: 'waiting', prompt: 'May I use the readings?', type: 'boolean', options: [] },
          path: `/chat/${sessionId}`,
        },
      })
    expect(given).toEqual([])
    expect(await give(token, 'true')).toEqual({ status: 200, body: { state: 'answered' } })
    await expect.poll(() => given, { timeout: 10_000 }).toEqual([true])
  })

  it('is refused outside of the networks of the company of its addressee', async () => {
    const { token, given } = await aQuestion()
    const company_id = await aCompany(chat.app)
    const member = { company_id, user_id: chat.user.id, role: 'member' as const }
    await chat.app.deps.db.insertInto('company_members').values(member).execute()
    await aNetwork(chat.app, company_id, { restricts: 'sign_in', network: '192.0.2.0/24' })
    const refused = { status: 403, body: { code: 'outside_networks' } }
    expect(await read(token)).toMatchObject(refused)
    expect(await give(token, 'true')).toMatchObject(refused)
    expect(given).toEqual([])
    await chat.app.deps.db.deleteFrom('companies').where('id', '=', company_id).execute()
    chat.app.deps.networks.forget()
    expect((await give(token, 'true')).status).toBe(200)
  })

  it('answers once, also when it is used twice at the same time', async () => {
    const { token, given } = await aQuestion({ type: 'choice', options: ['Lyon', 'Nice'] })
    expect((await read(token)).body).toMatchObject({ type: 'choice', options: ['Lyon', 'Nice'] })
    const answers = await Promise.all(['Lyon', 'Nice', 'Lyon', 'Nice'].map((one) => give(token, one)))
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    await expect.poll(() => given.length, { timeout: 10_000 }).toBe(1)
    const again = await give(token, String(given[0]))
    expect([again.status, again.body.code]).toEqual([409, 'already_answered'])
    expect((await read(token)).body).toMatchObject({ state: 'answered', prompt: '', options: [] })
    expect(given).toHaveLength(1)
  })

  it('refuses an answer that the question does not offer', async () => {
    const { token, given } = await aQuestion({ type: 'choice', options: ['Lyon', 'Nice'] })
    expect((await give(token, 'Paris')).status).toBe(422)
    expect((await read(token)).body.state).toBe('waiting')
    expect(given).toEqual([])
  })

  it('ends with its time, and with the deadline of the question', async () => {
    const late = await aQuestion({ type: 'boolean' }, { until: -1 })
    expect((await read(late.token)).body).toMatchObject({ state: 'expired', prompt: '' })
    expect((await give(late.token, 'true')).body.code).toBe('deadline_passed')
    const due = await aQuestion()
    await sql`update input_requests set deadline = now() - interval '1 second' where run_id = ${due.run_id}`.execute(
      chat.app.deps.db,
    )
    expect((await read(due.token)).body.state).toBe('expired')
    expect((await give(due.token, 'true')).body.code).toBe('deadline_passed')
    expect([late.given, due.given]).toEqual([[], []])
  })

  it('works for the addressee only', async () => {
    const { seal, given } = await aQuestion()
    const other = await aUser(chat.app)
    expect((await read(seal(other))).body).toMatchObject({ state: 'closed', prompt: '' })
    expect((await give(seal(other), 'true')).status).toBe(409)
    expect((await give(seal({ ...chat.user, email: 'former@example.com' }), 'true')).body.code).toBe(
      'token_invalid',
    )
    expect(given).toEqual([])
  })

  it('is refused when it was changed, or sealed for another purpose', async () => {
    const { token, given } = await aQuestion()
    const foreign = chat.app.deps.secrets.seal(
      JSON.stringify({ stops: 'notification_mails', userId: chat.user.id }),
    )
    for (const bad of ['x', `${token.slice(0, -4)}AAAA`, foreign]) {
      expect((await read(bad)).body.code).toBe('token_invalid')
      expect((await give(bad, 'true')).body.code).toBe('token_invalid')
    }
    expect(given).toEqual([])
  })

  it('is refused after the person lost the chat or the account', async () => {
    const { token, sessionId, given } = await aQuestion()
    const { db } = chat.app.deps
    await sql`update sessions set deleted_at = now() where id = ${sessionId}`.execute(db)
    expect((await give(token, 'true')).status).toBe(409)
    await sql`update sessions set deleted_at = null where id = ${sessionId}`.execute(db)
    await sql`update users set deactivated_at = now() where id = ${chat.user.id}`.execute(db)
    expect((await give(token, 'true')).body.code).toBe('token_invalid')
    await sql`update users set deactivated_at = null where id = ${chat.user.id}`.execute(db)
    expect(given).toEqual([])
  })

  it('is limited per address', async () => {
    const statuses = new Set<number>()
    for (let n = 0; n < 121; n += 1) statuses.add((await read('x')).status)
    expect(statuses).toContain(429)
  })
})

describe('answersOf', () => {
  const block = {
    ...{ type: 'input_required' as const, id: 'q', checkpoint_name: 'ask', prompt: 'May I?', input: null },
    ...{ state: 'waiting' as const, created_at: '', deadline: null },
  }

  it('offers answers for one yes/no or choice field, and for nothing else', () => {
    const field = (one: object) => ({ name: 'a', label: '', required: true, ...one }) as never
    const asked = (more: object) => answersOf({ ...block, input_types: ['text'], ...more })
    expect(asked({ input_types: ['boolean'] })).toEqual({ type: 'boolean', options: [] })
    expect(asked({ fields: [field({ type: 'choice', options: ['a'] })] })).toMatchObject({ options: ['a'] })
    expect(asked({ fields: [field({ type: 'text' })] })).toBeNull()
    expect(asked({ fields: [field({ type: 'boolean' }), field({ type: 'boolean' })] })).toBeNull()
    expect(asked({ input_types: ['boolean'], kind: 'approval' })).toBeNull()
    expect(asked({ input_types: ['boolean'], kind: 'interrupted' })).toBeNull()
  })
})
