import { fastify } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aBrand } from '#tests/company-brand.ts'
import { openStream } from '#tests/event-stream.ts'
import { calls, says } from '#tests/model-server.ts'
import { aDocument } from '#tests/stored-document.ts'
import { setSecurityHeaders } from '../../platform/http/security-headers/security-headers.ts'
import { createTurns } from '../../platform/http/turns/turns.ts'
import { serveWeb } from '../../platform/http/web-files/web-files.ts'
import { createFraming, serveClosedPage } from './embeds.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ app: { config: { ATRIUM_BILLING: 'on' } }, user: { balance: 100 } })
})
afterAll(() => chat.close())

const wish = { name: 'Intranet', origins: ['https://intranet.example'], days: 180, messages_a_day: 3 }

async function anAssistant(changes: object = {}, owner: TestUser = chat.user): Promise<string> {
  const body = { name: 'Buyer', agent_type: 'single_turn', example_prompts: ['Who may sign?'], ...changes }
  return (await chat.call('POST', '/assistants', body, owner.headers)).body.id
}

async function embed(assistantId: string, changes: object = {}) {
  const { status, body } = await chat.call('POST', `/assistants/${assistantId}/embeds`, {
    ...wish,
    ...changes,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { token: string; embed: { id: string; hint: string } }
}

async function revoke(assistantId: string, id: string): Promise<number> {
  const url = `${chat.url}/assistants/${assistantId}/embeds/${id}`
  return (await fetch(url, { method: 'DELETE', headers: chat.user.headers })).status
}

async function visit(token: string, language = 'fr') {
  const { status, body } = await chat.call(
    'POST',
    '/embed/visits',
    { token, language },
    { authorization: '' },
  )
  expect(status, JSON.stringify(body)).toBe(201)
  const headers = { authorization: `Bearer ${body.visit}` }
  const call = (method: string, path: string, sent?: unknown) => chat.call(method, path, sent, headers)
  const begin = async () => (await call('POST', '/embed/chats')).body.session_id as string
  const ask = async (sessionId: string, content: string) => {
    const url = `${chat.url}/sessions/${sessionId}/messages`
    const stream = await openStream(url, { method: 'POST', headers, body: { content } })
    await stream.ended
    return stream
  }
  return { body, headers, call, begin, ask }
}

describe('an embed token', () => {
  it('is shown once, stored as a hash, listed with its assistant and revocable by every editor', async () => {
    const id = await anAssistant()
    const { token, embed: made } = await embed(id)
    expect(token).toMatch(/^emb_[\w-]{43}$/)
    expect(made).toMatchObject({ name: 'Intranet', origins: wish.origins, messages_a_day: 3, days_kept: 30 })
    const listed = await chat.call('GET', `/assistants/${id}/embeds`)
    expect(listed.body).toMatchObject([{ id: made.id, hint: token.slice(0, 8), spent: 0, visitors: 0 }])
    const rows = await chat.app.deps.db.selectFrom('access_keys').selectAll().execute()
    expect(JSON.stringify([listed.body, rows])).not.toContain(token.slice(12))
    const stranger = await aUser(chat.app)
    const path = `/assistants/${id}/embeds/${made.id}`
    expect((await chat.call('DELETE', path, undefined, stranger.headers)).status).toBe(403)
    expect(await revoke(id, made.id)).toBe(204)
    expect(await revoke(id, made.id)).toBe(404)
    expect((await chat.call('GET', `/assistants/${id}/embeds`)).body).toEqual([])
  })

  it('has audit entries for its creation and revocation', async () => {
    const id = await anAssistant()
    const { embed: made } = await embed(id)
    await revoke(id, made.id)
    const { rows } = await sql`select did, subject, actor_id from audit_entries
      where did like 'embed.%' order by id desc limit 2`.execute(chat.app.deps.db)
    const whole = { subject: 'Buyer: Intranet', actor_id: chat.user.id }
    expect(rows).toEqual([
      { did: 'embed.revoked', ...whole },
      { did: 'embed.created', ...whole },
    ])
  })

  it.each([
    ['no site', { origins: [] }, 'origins must name at least one site, or the extension.'],
    ['a path', { origins: ['https://a.example/x'] }, 'origins.0 must be a site as https://example.com.'],
    ['another policy', { origins: ["https://a.example; script-src 'self'"] }, /^origins\.0 must be a site/],
    ['every site', { origins: ['*'] }, /^origins\.0 must be a site/],
    ['no end', { days: null }, /^days/],
  ])('refuses %s', async (_, changes, detail) => {
    const answer = await chat.call('POST', `/assistants/${await anAssistant()}/embeds`, {
      ...wish,
      ...changes,
    })
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatch(detail)
  })
})

describe('a visitor', () => {
  it('sees the brand of the company of the assistant, else of the person who made the token [GV-06]', async () => {
    const { db } = chat.app.deps
    const [own, house] = [await aCompany(chat.app), await aCompany(chat.app)]
    const member = { company_id: own, user_id: chat.user.id, role: 'member' as const }
    await db.insertInto('company_members').values(member).execute()
    const assistantId = await anAssistant()
    const { token } = await embed(assistantId)
    const brandSeen = async () => (await visit(token)).body.brand?.name
    expect(await brandSeen()).toBeUndefined()
    await aBrand(chat.app, own, { name: 'Own' })
    await aBrand(chat.app, house, { name: 'House' })
    expect(await brandSeen()).toBe('Own')
    await sql`insert into assistant_shares (assistant_id, company_id, access, created_at)
      values (${assistantId}, ${house}, 'use', now())`.execute(db)
    expect(await brandSeen()).toBe('House')
    await db.deleteFrom('companies').where('id', 'in', [own, house]).execute()
  })

  it('sees the assistant, gets a private chat and reads the streamed answer', async () => {
    const { token } = await embed(await anAssistant())
    const visitor = await visit(token)
    expect(visitor.body).toMatchObject({
      assistant: { name: 'Buyer', example_prompts: ['Who may sign?'] },
      house: null,
      messages_left: 3,
    })
    const id = await visitor.begin()
    chat.model.reply([says('The board.')])
    const stream = await visitor.ask(id, 'Who may sign?')
    expect(stream.view()?.content).toBe('The board.')
    const branch = await visitor.call('GET', `/sessions/${id}/active-branch`)
    expect(branch.body.active_branch.map(({ content }: { content: string }) => content)).toEqual([
      'Who may sign?',
      'The board.',
    ])
    expect((await visitor.call('GET', '/embed/visit')).body.messages_left).toBe(2)
    // The token owner does not see the chat among their own.
    const { body } = await chat.call('GET', '/sessions?limit=100')
    expect(body.items.some((session: { id: string }) => session.id === id)).toBe(false)
  })

  it('has no access to other chats or to anything else of the token owner', async () => {
    const { token } = await embed(await anAssistant())
    const [one, other] = [await visit(token), await visit(token)]
    const theirs = await other.begin()
    const mine = await chat.aSession()
    for (const id of [theirs, mine]) {
      expect((await one.call('GET', `/sessions/${id}/active-branch`)).status).toBe(403)
      expect((await one.call('POST', `/sessions/${id}/messages`, { content: 'x' })).status).toBe(403)
      expect((await one.call('POST', `/sessions/${id}/stop`)).status).toBe(403)
    }
    const closed = ['/users/me', '/sessions', '/documents', '/assistants', '/tools', '/users/me/billing']
    for (const path of closed)
      expect(await one.call('GET', path), path).toMatchObject({
        status: 403,
        body: { detail: 'Visitors of an embedded assistant can only open their own chats.' },
      })
    expect((await one.call('POST', '/sessions', {})).status).toBe(403)
    expect((await chat.call('GET', '/embed/visit')).status).toBe(403)
    expect((await chat.call('POST', '/embed/visits', { token: chat.user.token })).status).toBe(401)
  })

  it('can send the daily number of messages that the token allows', async () => {
    const visitor = await visit((await embed(await anAssistant(), { messages_a_day: 1 })).token)
    const id = await visitor.begin()
    await visitor.ask(id, 'One')
    const second = await visitor.call('POST', `/sessions/${id}/messages`, { content: 'Two' })
    expect(second).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    const long = await visit((await embed(await anAssistant())).token)
    const much = await long.call('POST', `/sessions/${await long.begin()}/messages`, {
      content: 'x'.repeat(60_001),
    })
    expect(much.status).toBe(413)
  })

  it('is disconnected when the token is revoked or expires, or its owner loses edit rights', async () => {
    const id = await anAssistant()
    const { token, embed: made } = await embed(id)
    const visitor = await visit(token)
    expect((await visitor.call('GET', '/embed/visit')).status).toBe(200)
    await revoke(id, made.id)
    expect((await visitor.call('GET', '/embed/visit')).status).toBe(401)
    expect((await chat.call('POST', '/embed/visits', { token })).status).toBe(401)

    const ended = await embed(id)
    const late = await visit(ended.token)
    const past = { expires_at: new Date(Date.now() - 1000) }
    await chat.app.deps.db.updateTable('access_keys').set(past).where('id', '=', ended.embed.id).execute()
    expect((await late.call('GET', '/embed/visit')).status).toBe(401)

    const given = await embed(id)
    const stranger = await aUser(chat.app)
    await chat.app.deps.db
      .updateTable('assistants')
      .set({ user_id: stranger.id })
      .where('id', '=', id)
      .execute()
    expect((await chat.call('POST', '/embed/visits', { token: given.token })).status).toBe(401)
  })

  it('gets no tool that reads databases, even those open to the owner', async () => {
    await sql`insert into databases (name, kind, host, port, database, role, tls, limit_seconds, limit_rows)
      values ('ERP', 'postgres', 'erp.example', 5432, 'erp', 'reader', 'off', 1, 1)`.execute(chat.app.deps.db)
    const own = (await chat.call('GET', '/tools')).body.map(({ id }: { id: string }) => id)
    expect(own).toContain('query_database')
    const tools = ['calculator', 'query_database', 'describe_databases']
    const { token } = await embed(await anAssistant({ tools, agent_type: 'multi_turn' }))
    const guest = await visit(token)
    chat.model.reply([says('Yes.')])
    await guest.ask(await guest.begin(), 'Which tables are there?')
    await sql`delete from databases`.execute(chat.app.deps.db)
    const told = JSON.stringify(chat.model.requests.at(-1))
    expect(told).toContain('calculator')
    expect(told).not.toMatch(/query_database|describe_databases/)
  })

  it('gets no tool that uses the accounts of the owner, even those that need no approval [AC-01]', async () => {
    const { db, secrets } = chat.app.deps
    await sql`insert into personal_accounts values (${chat.user.id}, 'imap', 'ada@example.com', ${secrets.seal('{}')}, now())`.execute(
      db,
    )
    await chat.call('PUT', '/tools/send_mail/policy', { policy: 'auto' })
    const tools = ['calculator', 'search_mail', 'send_mail']
    const { token } = await embed(await anAssistant({ tools, agent_type: 'multi_turn' }))
    const guest = await visit(token)
    chat.model.reply([says('Yes.')])
    await guest.ask(await guest.begin(), 'Send a mail.')
    await sql`delete from personal_accounts`.execute(db)
    const told = JSON.stringify(chat.model.requests.at(-1))
    expect(told).toContain('calculator')
    expect(told).not.toMatch(/search_mail|send_mail/)
  })

  it('gets answers that use only tools that need no approval, chosen by the editors', async () => {
    const tools = { tools: ['calculator', 'web_search'], agent_type: 'multi_turn' }
    const id = await anAssistant(tools)
    const db = chat.app.deps.db
    await db
      .insertInto('tool_policies')
      .values({ user_id: chat.user.id, tool_id: 'web_search', policy: 'ask' })
      .execute()
    const visitor = await visit((await embed(id)).token)
    chat.model.reply([says('Yes.')])
    const session = await visitor.begin()
    await visitor.call('POST', `/sessions/${session}/messages`, { content: 'a', tool_choice: 'web_search' })
    const stream = await visitor.ask(session, 'Go')
    expect(stream.view()?.content).toBe('Yes.')
    const told = chat.model.requests.at(-1)
    expect(JSON.stringify(told)).toContain('calculator')
    expect(JSON.stringify(told)).not.toContain('web_search')
  })

  it("gets quotes only from the assistant's documents, never from others of the token owner", async () => {
    const [given, kept] = [await aDocument(chat.app, chat.user), await aDocument(chat.app, chat.user)]
    const tools = ['document_search']
    const id = await anAssistant({ documents: [given.documentId], tools, agent_type: 'multi_turn' })
    const visitor = await visit((await embed(id)).token)
    const asked = { chunk_ids: [given.chunkId, kept.chunkId] }
    const { passages } = (await visitor.call('POST', '/rag/passages', asked)).body
    expect(passages.map(({ chunk_id }: { chunk_id: string }) => chunk_id)).toEqual([given.chunkId])
    // Even a manipulated model reads with the visitor's rights, not with the owner's.
    const search = calls('document_search', { query: 'salaries', document_ids: [kept.documentId] })
    chat.model.reply([search], [says('Nothing.')])
    const stream = await visitor.ask(await visitor.begin(), 'Read everything')
    const block = stream.view()?.blocks.find(({ type }) => type === 'tool')
    expect(block).toMatchObject({ status: 'error', error: 'You do not have access to this document.' })
  })

  it("receives the assistant's questions and is the only one to answer them", async () => {
    const visitor = await visit((await embed(await anAssistant({ agent_type: 'multi_turn' }))).token)
    const session = await visitor.begin()
    chat.model.reply([calls('ask_person', { prompt: 'Which site?' })], [says('Metz.')])
    const asked = await visitor.ask(session, 'Who repairs the heating?')
    const block = asked.view()?.blocks.find(({ type }) => type === 'input_required')
    expect(block).toMatchObject({ state: 'waiting', prompt: 'Which site?' })
    expect((await chat.call('GET', '/input-requests')).body.total).toBe(0)
    const checkpoint_name = (block as { checkpoint_name: string }).checkpoint_name
    const given = { checkpoint_name, input: 'Metz', input_type: 'text' }
    expect((await visitor.call('POST', `/sessions/${session}/provide-input`, given)).status).toBe(200)
  })
})

describe('a page with an embed token', () => {
  const http = fastify()
  beforeAll(() => {
    setSecurityHeaders(http, { page, isHttps: false })
    const turns = createTurns(chat.app.deps.config)
    serveWeb(http, { folder: import.meta.dirname, page, framing: createFraming(chat.app.deps), turns })
    serveClosedPage({ http, turns })
  })
  afterAll(() => http.close())
  const page = '<!doctype html><title>Atrium</title>'
  const open = async (url: string, sent: Record<string, string> = {}) => {
    const { statusCode, headers } = await http.inject({ url, headers: sent })
    const policy = String(headers['content-security-policy'])
    const ancestors = /frame-ancestors ([^;]+)/.exec(policy)?.[1]
    return { status: statusCode, ancestors, header: (name: string) => headers[name] }
  }
  const framed = (site: string) => ({ 'sec-fetch-dest': 'iframe', referer: `${site}/` })

  it('may be framed only by the sites of the token', async () => {
    const { token } = await embed(await anAssistant(), { in_extension: true })
    const framedThere = await open(`/embed?authToken=${token}`, framed('https://intranet.example'))
    expect(framedThere.status).toBe(200)
    expect(framedThere.ancestors).toMatch(
      /^'self' https:\/\/intranet\.example chrome-extension:\/\/[a-p]{32} moz-extension:$/,
    )
    expect(framedThere.header('x-frame-options')).toBeUndefined()
    expect(framedThere.header('referrer-policy')).toBe('no-referrer')
    for (const address of ['/embed', '/chat', `/chat?authToken=${chat.user.token}`]) {
      const other = await open(address)
      expect([other.status, other.ancestors], address).toEqual([200, "'none'"])
      expect(other.header('x-frame-options'), address).toBe('DENY')
    }
  })

  it.each([
    ...['/', '/chat', '/admin/users', '/tools', '/login', '/s/abc', '/connect', '/no-such-page', '/embed/'],
    ...[
      '/embed/chat',
      '/Embed',
      '/%65mbed',
      '//embed',
      '/embed%2f..',
      '/embed/../admin',
      '/embed;x',
      '/embed.js',
    ],
    ...['/assets/none.js', '/api/v1/health', '/embed/%2e%2e/admin'],
  ])('may not be framed at %s, whatever token its address carries', async (path) => {
    const { token } = await embed(await anAssistant())
    const found = await open(`${path}?authToken=${token}`, framed('https://intranet.example'))
    expect(found.ancestors).toBe("'none'")
    expect(found.header('x-frame-options')).toBe('DENY')
  })

  it('may not be framed with two tokens, because the browser might use the other one', async () => {
    const [one, other] = [await embed(await anAssistant()), await embed(await anAssistant())]
    const address = `/embed?authToken=${one.token}&authToken=${other.token}`
    const found = await open(address, framed('https://intranet.example'))
    expect([found.status, found.ancestors]).toEqual([302, "'none'"])
  })

  it('is blocked by a page without any part of the application', async () => {
    const { token } = await embed(await anAssistant())
    const { body, headers } = await http.inject({
      url: `/embed/closed?why=origin_not_allowed&site=<img src=x>&lang=fr&theme=dark&authToken=${token}`,
    })
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors *",
    )
    expect(body).toContain('Cet assistant n’est pas ouvert ici')
    expect(body).toContain('origin_not_allowed, &#60;img src=x&#62;')
    expect(body).not.toMatch(/<script|<img|emb_/)
  })

  it('redirects other frames to a page with the reason and without the token', async () => {
    const id = await anAssistant()
    const { token, embed: made } = await embed(id)
    const elsewhere = await open(`/embed?authToken=${token}&lang=fr`, framed('https://evil.example'))
    const address = '/embed/closed?why=origin_not_allowed&site=https%3A%2F%2Fevil.example&lang=fr'
    expect([elsewhere.status, elsewhere.header('location')]).toEqual([302, address])
    expect((await open(address)).ancestors).toBe('*')
    await revoke(id, made.id)
    const ended = await open(`/embed?authToken=${token}`, framed('https://intranet.example'))
    expect(ended.header('location')).toBe('/embed/closed?why=ended')
  })
})
