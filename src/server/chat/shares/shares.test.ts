import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ShareLink } from '#shared/chat/shares/shares.ts'
import { citationTag } from '#shared/platform/citations/citation-tags.ts'
import { aCompany, aMessage, aUser, type TestUser } from '#tests/builders.ts'
import { type Answer, type Chat, startChat } from '#tests/chat.ts'
import { aBrand } from '#tests/company-brand.ts'
import { aDocument } from '#tests/stored-document.ts'

let chat: Chat
let now = new Date('2026-11-24T08:00:00Z')
let other: TestUser
beforeAll(async () => {
  chat = await startChat({ app: { clock: { now: () => now } } })
  other = await aUser(chat.app)
})
afterAll(() => chat.close())

const get = (path: string) => fetch(chat.url + path)
const read = async (path: string): Promise<Answer['body']> => (await get(path)).json()
const tokenOf = ({ url }: ShareLink) => url.split('/s/')[1] ?? ''

/** Creates a question, an answer that cites the user's file, and an alternative answer. */
async function aSharedChat(wish: object = {}) {
  const sessionId = await chat.aSession({ title: 'HVAC renewals' })
  const { documentId, chunkId } = await aDocument(chat.app, chat.user)
  const question = await aMessage(chat.app, sessionId, { content: 'Which one first?' })
  await aMessage(chat.app, sessionId, { parentId: question.id, role: 'assistant', content: 'Another branch' })
  const text = `Kessler ${citationTag(chunkId, 1)}.`
  const place = {
    document_id: documentId,
    document_name: 'a.txt',
    heading_path: [],
    page_number: 3,
    place: {},
  }
  const answer = await aMessage(chat.app, sessionId, {
    ...{ parentId: question.id, role: 'assistant', content: text },
    blocks: [
      {
        type: 'tool',
        id: 'x',
        tool_id: 'calculator',
        tool_name: 'Calculator',
        input: {},
        status: 'complete',
        result: null,
        error: null,
        events: [],
      },
      {
        type: 'text',
        id: 't',
        text,
        sources: [{ id: chunkId, number: 1, title: 'a.txt', url: null, passage: place }],
      },
    ],
  })
  const { status, body } = await chat.call('POST', `/sessions/${sessionId}/links`, wish)
  expect(status).toBe(201)
  return { sessionId, documentId, chunkId, answer: answer.id, link: body as ShareLink, token: tokenOf(body) }
}

describe('a share link', () => {
  it('shows the brand of the company of the person who made it, and no other [GV-06]', async () => {
    const { token } = await aSharedChat()
    expect(await read(`/shared/${token}`)).not.toHaveProperty('brand')
    const companyId = await aCompany(chat.app)
    await chat.app.deps.db
      .insertInto('company_members')
      .values({ company_id: companyId, user_id: chat.user.id, role: 'member' })
      .execute()
    await aBrand(chat.app, companyId, { name: 'Zenith' })
    await aBrand(chat.app, await aCompany(chat.app), { name: 'Other' })
    expect(await read(`/shared/${token}`)).toMatchObject({
      brand: { name: 'Zenith' },
      messages: [{ is_person: true }, { author: expect.stringMatching(/^Zenith/) }],
    })
    await chat.app.deps.db.deleteFrom('companies').where('id', '=', companyId).execute()
  })

  it('shows the branch as it was at creation, without later messages [XE-03]', async () => {
    const { sessionId, answer, link, token, chunkId } = await aSharedChat()
    expect(link).toMatchObject({ title: 'HVAC renewals', messages: 2, files: 0, views: 0, hides_steps: true })
    await aMessage(chat.app, sessionId, { parentId: answer, content: 'A secret of later' })
    await chat.call('PUT', `/sessions/${sessionId}/rename`, { title: 'Renamed later' })
    const response = await get(`/shared/${token}?language=en`)
    expect(response.headers.get('x-robots-tag')).toContain('noindex')
    const shown: Answer['body'] = await response.json()
    expect(shown).toMatchObject({ title: 'HVAC renewals', total: 2, has_more: false, files: [] })
    expect(shown.messages.map(({ parts }: { parts: unknown }) => parts)).toEqual([
      [{ kind: 'text', text: 'Which one first?' }],
      [{ kind: 'text', text: `Kessler ${citationTag(chunkId, 1)}.` }],
    ])
    expect(shown.messages[1].sources).toEqual([
      { id: chunkId, number: 1, title: 'a.txt', place: 'page 3', url: null, quote: 'text', file: null },
    ])
    const text = JSON.stringify(shown)
    for (const secret of ['later', 'Another branch', chat.user.id, sessionId])
      expect(text).not.toContain(secret)
    expect((await chat.call('GET', '/links')).body.items[0]).toMatchObject({
      id: link.id,
      views: 1,
      url: link.url,
    })
  })

  it('shows only selected files, in their version at creation [XE-03]', async () => {
    const { documentId, token: none, sessionId } = await aSharedChat()
    expect((await get(`/shared/${none}/files/1`)).status).toBe(404)
    const { body } = await chat.call('POST', `/sessions/${sessionId}/links`, { documents: [documentId] })
    const token = tokenOf(body)
    const shown = await read(`/shared/${token}`)
    expect(shown.files).toEqual([{ place: 1, name: 'a.txt', size: 8 }])
    expect(shown.messages[1].sources[0].file).toBe(1)
    const file = await get(`/shared/${token}/files/1`)
    expect([file.status, file.headers.get('content-disposition')]).toEqual([
      200,
      expect.stringContaining('attachment'),
    ])
    expect((await file.arrayBuffer()).byteLength).toBe(8)
    expect((await get(`/shared/${token}/files/2`)).status).toBe(404)
  })

  it('expires at its date and immediately when revoked, including its files [XE-03]', async () => {
    const { documentId, sessionId } = await aSharedChat()
    const made = async (days: number | null) =>
      (await chat.call('POST', `/sessions/${sessionId}/links`, { days, documents: [documentId] }))
        .body as ShareLink
    const [dated, endless] = [await made(1), await made(null)]
    expect([dated.expires_at, endless.expires_at]).toEqual(['2026-11-25T08:00:00.000Z', null])
    const statuses = async (link: ShareLink) =>
      Promise.all(
        ['', '/messages', '/files/1'].map(
          async (path) => (await get(`/shared/${tokenOf(link)}${path}`)).status,
        ),
      )
    expect(await statuses(dated)).toEqual([200, 200, 200])
    now = new Date('2026-11-25T08:00:01Z')
    expect(await statuses(dated)).toEqual([404, 404, 404])
    expect(await statuses(endless)).toEqual([200, 200, 200])
    const revoked = await fetch(`${chat.url}/links/${endless.id}`, {
      method: 'DELETE',
      headers: chat.user.headers,
    })
    expect(revoked.status).toBe(204)
    expect(await statuses(endless)).toEqual([404, 404, 404])
    const copied = await chat.call('POST', `/shared/${tokenOf(endless)}/copy`, undefined, other.headers)
    expect(copied.status).toBe(404)
  })

  it("returns 404 for a guess, and other users' links cannot be revoked or listed", async () => {
    const { link, sessionId, documentId } = await aSharedChat()
    for (const guess of [link.id, sessionId, documentId, 'x', 'A'.repeat(22), '%27%20or%201=1'])
      for (const path of ['', '/messages', '/files/1', `/pictures/${documentId}`])
        expect((await get(`/shared/${guess}${path}`)).status, `${guess}${path}`).toBe(404)
    expect((await chat.call('DELETE', `/links/${link.id}`, undefined, other.headers)).status).toBe(403)
    expect((await chat.call('GET', '/links', undefined, other.headers)).body).toEqual({ items: [], total: 0 })
    expect((await chat.call('POST', `/sessions/${sessionId}/links`, {}, other.headers)).status).toBe(403)
    const theirs = await aDocument(chat.app, other)
    const refused = await chat.call('POST', `/sessions/${sessionId}/links`, {
      documents: [theirs.documentId],
    })
    expect(refused.status).toBe(403)
  })

  it('shows steps and tools unless they are hidden', async () => {
    const { token } = await aSharedChat({ hide_steps: false })
    const shown = await read(`/shared/${token}?language=fr`)
    expect(shown.messages[1].parts[0]).toEqual({ kind: 'steps', lines: ['Outil\u00a0: Calculator'] })
  })

  it('is rate-limited by IP address', async () => {
    const statuses = new Set<number>()
    for (let tries = 0; tries < 620 && !statuses.has(429); tries++)
      statuses.add((await get('/shared/nothing')).status)
    expect(statuses).toEqual(new Set([404, 429]))
    now = new Date(now.getTime() + 11 * 60_000)
    expect((await get('/shared/nothing')).status).toBe(404)
  })
})

describe('a copy of a shared chat', () => {
  it("is a private chat with the link's messages and files that can be continued [XE-04]", async () => {
    const { documentId, sessionId, answer, chunkId } = await aSharedChat()
    const { body } = await chat.call('POST', `/sessions/${sessionId}/links`, { documents: [documentId] })
    await aMessage(chat.app, sessionId, { parentId: answer, content: 'A secret of later' })
    expect((await fetch(`${chat.url}/shared/${tokenOf(body)}/copy`, { method: 'POST' })).status).toBe(401)
    const copied = await chat.call('POST', `/shared/${tokenOf(body)}/copy`, undefined, other.headers)
    expect(copied.status).toBe(201)
    const { session_id } = copied.body
    const branch = (await chat.call('GET', `/sessions/${session_id}/active-branch`, undefined, other.headers))
      .body
    expect(branch.active_branch.map(({ content }: { content: string }) => content)).toEqual([
      'Which one first?',
      `Kessler ${citationTag(chunkId, 1)}.`,
    ])
    expect(branch.active_branch[1].blocks).toEqual([
      expect.objectContaining({ type: 'text', sources: expect.anything() }),
    ])
    const { documents } = (await chat.call('GET', `/sessions/${session_id}`, undefined, other.headers)).body
    expect(documents).toEqual([expect.objectContaining({ name: 'a.txt' })])
    expect(documents[0].id).not.toBe(documentId)
    // Messages added to the copy stay private.
    const sent = await chat.call(
      'POST',
      `/sessions/${session_id}/messages`,
      { content: 'Mine' },
      other.headers,
    )
    expect(sent.status).toBe(201)
    expect((await chat.call('GET', `/sessions/${session_id}`)).status).toBe(403)
    expect((await read(`/shared/${tokenOf(body)}`)).total).toBe(2)
  })
})
