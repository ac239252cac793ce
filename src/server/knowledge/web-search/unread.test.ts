import { describe, expect, it } from 'vitest'
import type { WebSource } from '#shared/knowledge/web-search/web-search.ts'
import { startChat } from '#tests/chat.ts'
import { startMadeWeb, type WebPage } from '#tests/made-web.ts'
import { calls, says } from '#tests/model-server.ts'

describe('unreadable pages', () => {
  it('are listed with a reason while the others are used [XB-04]', async () => {
    const answers = (status: number, head = {}, body = ''): WebPage['serve'] => {
      return (response) => void response.writeHead(status, head).end(body)
    }
    const serves: Record<string, WebPage['serve']> = {
      '/refused': answers(403),
      '/missing': answers(404),
      '/failed': answers(503),
      '/silent': (response) => response.destroy(),
      '/too_large': answers(200, { 'content-type': 'text/html' }, 'a'.repeat(3_000_000)),
      '/no_text': answers(200, { 'content-type': 'application/zip' }, 'PK\x03\x04'),
      '/not_public': (response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      '/slow': () => undefined,
    }
    const reasons = Object.keys(serves).map((path) => path.slice(1))
    const web = await startMadeWeb()
    const config = {
      ...{ SEARXNG_URL: `${web.url}/searxng`, ATRIUM_WEB_PRIVATE: web.url, ATRIUM_LIMIT_WEB_SECONDS: '10' },
      ...{ ATRIUM_LIMIT_WEB_PAGE_KB: '1000', ATRIUM_LIMIT_WEB_PAGES: String(reasons.length + 1) },
      ATRIUM_EMBEDDING_MODEL: 'atrium/lexical',
    }
    const one = await startChat({ app: { config } })
    web.has({
      '/harbour': {
        title: 'Harbour',
        content: `<p>${'The harbour of Brest was dredged to 17 metres. '.repeat(8)}</p>`,
      },
      ...Object.fromEntries(
        Object.entries(serves).map(([path, serve]) => [path, { title: path, serve: serve! }]),
      ),
      '/not_tried': { title: 'One too many' },
    })
    one.model.reply(
      [calls('web_search', { query: 'How deep is the harbour of Brest?' })],
      [says('17 [1].')],
      [says('So.')],
    )
    const stream = await one.ask(await one.aSession(), 'How deep?')
    await stream.ended
    const tool = stream.view()?.blocks.find((block) => block.type === 'tool')
    const { body } = await one.call('GET', `/tool-executions/${tool?.id}`)
    expect(body.result).toMatchObject({
      is_answered: true,
      response: expect.stringMatching(/^17 <websource/),
    })
    const listed = body.result.sources.map(({ url, is_read, unread }: WebSource) => [
      ...[new URL(url).pathname.slice(1), is_read, unread ?? null],
    ])
    expect(listed).toHaveLength(reasons.length + 2)
    expect(listed).toEqual(
      expect.arrayContaining([
        ['harbour', true, null],
        ...[...reasons, 'not_tried'].map((reason) => [reason, false, reason]),
      ]),
    )
    await one.close()
    await web.close()
  }, 60_000)
})
