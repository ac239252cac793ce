import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { type ImageServer, startImageServer } from '#tests/image-server.ts'
import { readUser } from '../../identity/accounts/accounts.ts'
import { missingFor, readToolFacts } from './tool-facts.ts'

let chat: Chat
let connected: Chat
let provider: ImageServer
beforeAll(async () => {
  provider = await startImageServer()
  const config = { OPENAI_API_KEY: 'sk-images', OPENAI_BASE_URL: `${provider.url}/v1` }
  chat = await startChat()
  connected = await startChat({ app: { config } })
})
afterAll(async () => {
  await chat.close()
  await connected.close()
  await provider.close()
})

const toolsOf = async (one: Chat, headers = one.user.headers): Promise<Map<string, Tool>> => {
  const { body } = await one.call('GET', '/tools', undefined, headers)
  return new Map(body.map((tool: Tool) => [tool.id, tool]))
}

describe('every tool', () => {
  it('states the cost of a use, its time limit, and missing requirements [XB-13]', async () => {
    const tools = await toolsOf(chat)
    // No database is open to this person, and no account is connected.
    const closed = [
      ...['describe_databases', 'query_database', 'search_mail', 'read_mail', 'send_mail', 'file_mail'],
      ...['list_events', 'create_event', 'create_ticket'],
    ]
    expect([...tools.keys(), ...closed].sort()).toEqual(chat.app.deps.tools.ids)
    for (const { limit_seconds } of tools.values()) expect(limit_seconds).toBeGreaterThan(0)
    const prices = [...tools.values()].map(({ id, price }) => [id, price])
    // The scripted server has no prices.
    expect(Object.fromEntries(prices)).toEqual({
      ...{ calculator: 'free', weather: 'free', code_interpreter: 'unpriced', document_search: 'unpriced' },
      ...{ image_generation: 'unpriced', prospecting: 'unpriced', text_compressor: 'unpriced' },
      ...{ web_search: 'unpriced', view_page: 'free', schedule: 'free' },
    })
    expect(tools.get('image_generation')?.missing).toEqual([{ part: 'image_model', hint: null }])
    expect(tools.get('web_search')?.missing).toEqual([])
    const one = await chat.call('GET', '/tools/image_generation')
    expect(one.body).toEqual(tools.get('image_generation'))
  })

  it('names settings only to administrators [XB-13]', async () => {
    const admin = await aUser(chat.app, { role: 'super_admin' })
    expect((await toolsOf(chat, admin.headers)).get('image_generation')?.missing).toEqual([
      { part: 'image_model', hint: 'ATRIUM_IMAGE_MODEL' },
    ])
  })

  it('has a price if a provider with prices does the work [XB-13]', async () => {
    const tools = await toolsOf(connected)
    expect(tools.get('image_generation')).toMatchObject({ price: 'by_image', missing: [] })
  })

  it('explains to administrators why no box is available, if it runs programs [XB-13]', async () => {
    const { models, grants } = chat.app.deps
    const broken = { language: 'python' as const, ok: false, trouble: 'bubblewrap is missing' }
    const failed = { ...broken, checks: {}, libraries: [], missing: [], start_ms: null }
    const factsWith = async (readiness: (typeof failed)[] | null, role: 'member' | 'super_admin') => {
      const caller = await readUser(chat.app.deps, (await aUser(chat.app, { role })).id)
      const sandbox = { ...chat.app.deps.sandbox, readiness: () => readiness }
      return readToolFacts({ models, grants, sandbox }, { kind: 'user', ...caller })
    }
    const needs = { needs: 'code_box' as const }
    expect(missingFor(needs, await factsWith([failed], 'member'))).toEqual([{ part: 'code_box', hint: null }])
    expect(missingFor(needs, await factsWith([failed], 'super_admin'))).toEqual([
      { part: 'code_box', hint: 'bubblewrap is missing' },
    ])
    expect(missingFor(needs, await factsWith([failed, { ...failed, ok: true }], 'member'))).toEqual([])
    expect(missingFor(needs, await factsWith(null, 'member'))).toEqual([])
  })
})
