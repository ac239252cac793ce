import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { approve, askToAct, runAlone } from '#tests/actions/acting.ts'
import { keepTestAccount } from '#tests/actions/connected-account.ts'
import { serviceConfig } from '#tests/actions/service-config.ts'
import { emptyState, type ServiceWorld, startServiceWorld } from '#tests/actions/service-world.ts'
import { anApiKey } from '#tests/api-key.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, says } from '#tests/model-server.ts'
import { withholdTools } from '../withholding/withholding.ts'
import { openStored } from './accounts/open-accounts.ts'
import { chooseAccount } from './action-port.ts'

const MAIL = { to: ['carol@example.org'], subject: 'Hello', body: 'Hello' }
const FROM_OUTSIDE =
  'Your accounts and databases are not used to answer messages, events or programs from outside.'
const READ = 'Your accounts and databases are not used in a chat that others can read.'
let world: ServiceWorld
let chat: Chat
beforeAll(async () => {
  world = await startServiceWorld()
  chat = await startChat({ app: { config: serviceConfig(world) }, user: { role: 'member' } })
  await keepTestAccount(chat.app, chat.user.id, 'google', { services: world }, 'ada@example.com')
})
afterAll(async () => {
  await chat.close()
  await world.close()
})
beforeEach(() => {
  world.asked.length = 0
  world.state = emptyState()
})
const db = () => chat.app.deps.db
const companyId = sql`(select company_id from company_members where user_id = `

/** Makes a chat that of a thread in Slack. */
async function putInChannel(sessionId: string, isDirect: boolean) {
  await sql`with made as (insert into channels (company_id, kind, name, address, secret_sealed)
      select ${companyId}${chat.user.id} limit 1), 'slack', 'Slack', 'https://slack.test', '' returning id)
    insert into channel_threads (channel_id, conversation, root, is_direct, session_id)
    select id, 'C1', ${sessionId}, ${isDirect}, ${sessionId} from made`.execute(db())
}

/** Makes a chat that of the mails of a sender. */
async function putInMails(sessionId: string) {
  const made = await chat.call('POST', '/assistants', { name: 'Reception', system_prompt: 'You are there.' })
  await sql`insert into mail_threads (assistant_id, user_id, sender, session_id)
    values (${made.body.id}, ${chat.user.id}, 'paul@partner.example', ${sessionId})`.execute(db())
}

/** Drafts a mail in a chat of the person, changes the chat, and returns how the approved draft ends. */
async function endAfter(change: (sessionId: string) => Promise<unknown>) {
  const { execution, sessionId } = await askToAct(chat, 'send_mail', MAIL)
  await change(sessionId)
  return approve(chat, execution)
}

describe('an approved draft is refused', () => {
  it('when the message that the run answers is by others [AC-01]', async () => {
    const end = await endAfter((id) =>
      sql`update messages set is_by_others = true where session_id = ${id}`.execute(db()),
    )
    expect(end).toMatchObject({ status: 'error', error: expect.stringContaining(FROM_OUTSIDE) })
    expect(world.asked).toEqual([])
  })

  it('when the chat is that of mails to an assistant [AC-01]', async () => {
    expect((await endAfter(putInMails)).error).toContain(READ)
    expect(world.asked).toEqual([])
  })

  it('when the chat is a thread in a channel, but not when it is a direct message [AC-01]', async () => {
    expect((await endAfter((id) => putInChannel(id, false))).error).toContain(READ)
    expect(world.asked).toEqual([])
    expect((await endAfter((id) => putInChannel(id, true))).error).toBeNull()
    expect(world.state.sent).toHaveLength(1)
  })
})

describe('a run does not use an account', () => {
  const inputOf = async (session_id: string) => {
    const { rows } = await sql<{ id: string }>`select id from messages
      where session_id = ${session_id} and role = 'user' limit 1`.execute(db())
    return { session_id, user_message_id: rows[0]!.id, user_id: chat.user.id }
  }
  const choose = (input: object) => chooseAccount(chat.app.deps, { input: input as never }, 'mail')

  it('for a visitor, a program, the interface of a tool, or a message that is gone [AC-01]', async () => {
    const { sessionId } = await askToAct(chat, 'search_mail', {})
    const input = await inputOf(sessionId)
    expect((await choose(input)).address).toBe('ada@example.com')
    const standalone = { session_id: null, input: '{}' }
    expect((await choose({ ...input, user_message_id: '', standalone })).address).toBe('ada@example.com')
    for (const more of [
      { visitor: { id: 'v', key_id: 'k', assistant_id: 'a' } },
      { is_program: true },
      { user_message_id: '', standalone: { ...standalone, by_interface: true } },
      { user_message_id: '00000000-0000-4000-8000-000000000000' },
    ])
      await expect(choose({ ...input, ...more }), JSON.stringify(more)).rejects.toThrow(FROM_OUTSIDE)
  })

  it('for a program that asks an assistant with a key of the person [AC-01]', async () => {
    const made = await chat.call('POST', '/assistants', {
      ...{ name: 'Helper', system_prompt: 'You help.', model_name: 'compatible/scripted' },
      ...{ status: 'published', tools: ['search_mail', 'web_search'] },
    })
    const { headers } = await anApiKey(chat.app, chat.user, { scopes: ['chat', 'assistants'] })
    chat.model.always(({ messages }) => {
      const last = messages.at(-1)
      return last?.role === 'tool' ? [says(`Found: ${last.content}`)] : [calls('search_mail', {})]
    })
    const answer = await fetch(`${new URL(chat.url).origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: `assistant/${made.body.id}`,
        messages: [{ role: 'user', content: 'List the mails.' }],
      }),
    })
    expect(await answer.text()).toContain('Found: Error: There is no tool named search_mail.')
    expect(JSON.stringify(chat.model.requests.at(-1)?.tools)).toContain('web_search')
    expect(JSON.stringify(chat.model.requests.at(-1)?.tools)).not.toContain('search_mail')
    expect(world.asked).toEqual([])
  })

  it('in a call that a program makes for a chat that others read [AC-01]', async () => {
    const sessionId = await chat.aSession()
    await putInMails(sessionId)
    const { body } = await chat.call('POST', '/tools/search_mail/execute', {
      inputs: {},
      session_id: sessionId,
    })
    const read = async () => (await chat.call('GET', `/tool-executions/${body.tool_execution_id}`)).body
    await expect.poll(async () => (await read()).finished_at, { timeout: 20_000 }).toBeTruthy()
    expect((await read()).error).toContain(READ)
    expect(world.asked).toEqual([])
    expect((await runAlone(chat, 'search_mail', {})).error).toBeNull()
  })
})

it('a run of others loses the tools of accounts and databases, also in its assistants and compared models [AC-01]', async () => {
  const tools = [{ id: 'search_mail' }, { id: 'web_search' }] as never[]
  const part = { tools }
  const input = {
    ...{ session_id: '', user_message_id: '', is_program: true as const, tool_choice: 'search_mail', tools },
    ...{ assistants: [part as never], compared: [part as never] },
  }
  const personal = await chat.app.deps.tools.personal()
  expect(personal.sort()).toEqual(
    [
      'create_event',
      'create_ticket',
      'describe_databases',
      'file_mail',
      'list_events',
      'query_database',
      'read_mail',
      'search_mail',
      'send_mail',
    ].sort(),
  )
  const rest = [{ id: 'web_search' }]
  expect(await withholdTools(db(), input, personal)).toMatchObject({
    ...{ tools: rest, tool_choice: null, assistants: [{ tools: rest }], compared: [{ tools: rest }] },
  })
})

it('an open account sends nothing with the token of another one that replaced it [AC-01]', async () => {
  const stored = await chooseAccount(
    chat.app.deps,
    { input: { user_id: chat.user.id, standalone: { session_id: null, input: '{}' } } as never },
    'mail',
  )
  const opened = openStored(chat.app.deps, chat.user.id, stored, AbortSignal.timeout(20_000))
  await keepTestAccount(chat.app, chat.user.id, 'google', { services: world }, 'ada@home.example')
  await expect(opened.mail?.search({})).rejects.toThrow('No account for this is connected.')
  expect(world.asked).toEqual([])
  await keepTestAccount(chat.app, chat.user.id, 'google', { services: world }, 'ada@example.com')
  expect(await opened.mail?.search({})).toHaveLength(1)
})

it('what a call had prepared outside goes with its execution', async () => {
  const { execution, sessionId } = await askToAct(chat, 'send_mail', MAIL)
  await sql`insert into outside_actions (execution_id, user_id, handle, written_at)
    values (${execution}, ${chat.user.id}, 'draft 1', now())`.execute(db())
  await sql`delete from sessions where id = ${sessionId}`.execute(db())
  const { rows } = await sql`select from outside_actions where execution_id = ${execution}`.execute(db())
  expect(rows).toEqual([])
})
