import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { startClaimingMcpServer } from '#tests/claiming-mcp-server.ts'
import { aReader } from '#tests/documents.ts'
import { says } from '#tests/model-server.ts'
import { readTitle } from './read-title.ts'

/** A name with bidirectional controls, tag characters and invisible characters. */
const HOSTILE = 'Invoice\u202efdp.exe\u2066\u200b\u{e0061}\u{e0062}'
const CLEAN = 'Invoicefdp.exe'

let mcp: Awaited<ReturnType<typeof startClaimingMcpServer>>
let chat: Chat
beforeAll(async () => {
  mcp = await startClaimingMcpServer([
    { name: 'pay', title: HOSTILE, description: `Pays.\n${HOSTILE}` },
    { name: `x\u202ey` },
  ])
  chat = await startChat({ app: { config: { ATRIUM_TOOLS_PRIVATE: mcp.origin } } })
})
afterAll(async () => {
  await chat.close()
  mcp.close()
})

describe('user-supplied names', () => {
  it('lose bidirectional and invisible characters in chat titles, regardless of who sets them', async () => {
    expect(readTitle(`“${HOSTILE}”`)).toBe(CLEAN)
    const id = await chat.aSession()
    chat.model.reply([says('Yes.')])
    await (await chat.ask(id, `${HOSTILE} is due`)).ended
    expect((await chat.call('GET', `/sessions/${id}`)).body.title).toBe(`${CLEAN} is due`)
    await chat.call('PUT', `/sessions/${id}/rename`, { title: HOSTILE })
    expect((await chat.call('GET', `/sessions/${id}`)).body.title).toBe(CLEAN)
    expect((await chat.call('PUT', `/sessions/${id}/rename`, { title: '\u202e\u200b' })).status).toBe(422)
  })

  it('lose them for assistants, workspaces and keys', async () => {
    const assistant = await chat.call('POST', '/assistants', { name: HOSTILE, description: `a\n${HOSTILE}` })
    expect(assistant.body).toMatchObject({ name: CLEAN, description: `a\n${CLEAN}` })
    expect((await chat.call('POST', '/workspaces', { name: HOSTILE })).body.name).toBe(CLEAN)
    const key = await chat.call('POST', '/users/me/api-keys', { name: HOSTILE, scopes: ['chat'] })
    expect(JSON.stringify(key.body)).not.toMatch(/[\u202e\u2066\u200b]/)
  })

  it('lose them for files', async () => {
    const reader = await aReader(chat.app, chat.url, chat.user)
    const { body } = await reader.upload({ name: `report\u202etxt.html`, content: 'Words' })
    expect((await reader.call('GET', `/documents/${body.id}`)).body.name).toBe('reporttxt.html')
  })

  it('keep emoji and every script', async () => {
    for (const title of ['👩‍👩‍👧‍👦 trip 🏴󠁧󠁢󠁳󠁣󠁴󠁿', 'عقد الإيجار', 'می‌خواهم', 'חוזה שכירות']) {
      const { body } = await chat.call('POST', '/workspaces', { name: title })
      expect(body.name).toBe(title)
    }
  })

  it('lose them for tools of a server; a tool whose id contains them is dropped', async () => {
    const address = { kind: 'http', url: `${mcp.origin}/mcp` }
    const { body } = await chat.call('POST', '/mcp-servers', { name: HOSTILE, address })
    expect(body).toMatchObject({
      ...{ name: CLEAN, left: 1 },
      tools: [{ key: 'pay', name: CLEAN, description: `Pays.\n${CLEAN}` }],
    })
  })
})
