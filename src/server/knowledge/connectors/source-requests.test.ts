import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { finished } from 'node:stream/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { bodyOf, elementsOf, parseElements, secondsOf, textOf } from './source-requests.ts'

it('yields to the event loop while it parses a long list', async () => {
  const one =
    '<d:response><d:href>/a%20b/c.txt</d:href><d:prop><d:getetag>&quot;1&quot;</d:getetag></d:prop></d:response>'
  const xml = `<d:multistatus xmlns:d="DAV:">${one.repeat(200_000)}</d:multistatus>`
  let turns = 0
  const ticking = setInterval(() => {
    turns += 1
  }, 1)
  const root = await parseElements(xml, 'host')
  clearInterval(ticking)
  expect(turns).toBeGreaterThan(10)
  const all = elementsOf(root, 'response')
  expect([all.length, textOf(all[0]!, 'getetag')]).toEqual([200_000, '"1"'])
})

it.each([
  ['entities that stand for each other', '<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><x>&b;</x>'],
  ['an external entity', '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'],
  ['an unclosed element', '<x><y></x>'],
  ['many levels', '<x>'.repeat(100)],
])('refuses a list with %s', async (_, xml) => {
  await expect(parseElements(xml, 'host')).rejects.toMatchObject({ code: 'unavailable' })
})

describe('the body of an answer', () => {
  const outbound = createOutbound()
  let server: Server
  afterEach(async () => {
    server.closeAllConnections()
    server.close()
  })
  /** Opens an answer of a server that sends a part of it. */
  async function open(then: 'break off' | 'wait', more: { maxBytes?: number; signal?: AbortSignal } = {}) {
    const closed = Promise.withResolvers<void>()
    server = createServer((_, response) => {
      response.on('close', () => closed.resolve())
      response.writeHead(200, { 'content-length': 1_000 })
      response.write('x'.repeat(100), () => {
        if (then === 'break off') setTimeout(() => response.destroy(), 50)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { answer: await outbound.open(url, { trusted: [url], ...more }), closed: closed.promise }
  }
  const read = async (answer: Response) => {
    const parts: Uint8Array[] = []
    for await (const part of bodyOf(answer, 'files.example')) parts.push(part)
  }

  it('that the host breaks off says so', async () => {
    const { answer } = await open('break off')
    await expect(read(answer)).rejects.toMatchObject({
      ...{ code: 'unavailable', detail: 'files.example broke off its answer.' },
    })
  })

  it('reports a limit and an abort as they are', async () => {
    await expect(open('wait', { maxBytes: 10 }).then(({ answer }) => read(answer))).rejects.toMatchObject({
      code: 'too_large',
    })
    server.close()
    const signal = AbortSignal.timeout(300)
    await expect(open('wait', { signal }).then(({ answer }) => read(answer))).rejects.toMatchObject({
      name: 'TimeoutError',
    })
  })

  it('closes its connection when no one reads it', async () => {
    const { answer, closed } = await open('wait')
    const body = bodyOf(answer, 'files.example')
    body.destroy()
    await finished(body).catch(() => undefined)
    await closed
  })
})

it.each([
  [null, 60],
  ['120', 120],
  ['0', 1],
  ['1.5', 2],
  ['9'.repeat(400), 86_400],
  [new Date(Date.now() + 90_000).toUTCString(), 90],
  ['Mon, 02 Nov 2020 10:00:00 GMT', 1],
  ...['', '-5', 'soon', 'in 5 minutes', 'wait 12', '5;6', 'Infinity', 'Mon, 99 Foo 2026'].map(
    (text) => [text, 60] as const,
  ),
] as const)('reads the Retry-After header %j as %i seconds', (text, seconds) => {
  const read = secondsOf(text)
  expect(read).toBeLessThanOrEqual(seconds)
  expect(read).toBeGreaterThan(text?.endsWith('GMT') ? seconds - 30 : seconds - 1)
  expect(read).toBeGreaterThanOrEqual(1)
})
