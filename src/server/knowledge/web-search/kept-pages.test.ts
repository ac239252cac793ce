import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { type MadeWeb, startMadeWeb } from '#tests/made-web.ts'
import { calls, says } from '#tests/model-server.ts'

let web: MadeWeb
beforeAll(async () => {
  web = await startMadeWeb()
})
afterAll(() => web.close())
beforeEach(() => {
  web.asked.length = 0
  const content = `<p>${'The harbour of Brest has a depth of 17 metres. '.repeat(8)}</p>`
  web.has({ '/harbour': { title: 'Harbour of Brest', content } })
})

let now: Date
let chat: Chat
afterEach(() => chat.close())

async function open(hours: string) {
  now = new Date('2026-11-20T12:00:00Z')
  const config = {
    ...{ SEARXNG_URL: `${web.url}/searxng`, WIKIPEDIA_URL: `${web.url}/wikipedia` },
    ...{ ATRIUM_WEB_PRIVATE: web.url, ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' },
    ...{ ATRIUM_LIMIT_WEB_SECONDS: '30', ATRIUM_WEB_CACHE_HOURS: hours },
  }
  chat = await startChat({ app: { config, clock: { now: () => now } } })
}
/** Searches `hoursLater` hours after the last search. Returns how often the page was fetched so far. */
async function search(hoursLater = 0): Promise<number> {
  now = new Date(now.getTime() + hoursLater * 3_600_000)
  chat.model.reply(
    [calls('web_search', { query: 'How deep is the harbour of Brest?' })],
    [says('It is 17 metres deep [1].')],
    [says('So.')],
  )
  await (await chat.ask(await chat.aSession(), 'How deep?')).ended
  return web.asked.filter(({ path }) => path === '/harbour').length
}

describe('cached pages', () => {
  it('are reused for the configured time [XB-02]', async () => {
    await open('2')
    expect([await search(), await search(1), await search(2)]).toEqual([1, 1, 2])
  })

  it('are not stored when the cache is off', async () => {
    await open('0')
    expect(await search()).toBe(1)
    expect(await chat.app.deps.db.selectFrom('web_pages').select('url').execute()).toEqual([])
  })
})
