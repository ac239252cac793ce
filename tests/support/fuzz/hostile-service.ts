import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A service that answers with content that stalls a careless reader. The path selects the answer. */
export type HostileService = { url: string; close: () => Promise<void> }

const json = (body: string) => ({ type: 'application/json', body })
const html = (body: string) => ({ type: 'text/html', body: `<!doctype html><title>Page</title>${body}` })
const description = (paths: string) =>
  `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"servers":[{"url":"http://127.0.0.1"}],"paths":{${paths}}}`

const ANSWER_BYTES = 4e6
const LARGE_BYTES = 60e6
const answers: Record<string, () => { type: string; body: string }> = {
  deep: () => json('['.repeat(ANSWER_BYTES)),
  many: () => json(`[${Array(1_300_000).fill('[]').join()}]`),
  large: () => json(`"${'x'.repeat(LARGE_BYTES)}"`),
  'deep-description': () => json(description(`"/a":${'{"a":'.repeat(1e6)}1${'}'.repeat(1e6)}`)),
  'many-paths': () =>
    json(description(Array.from({ length: 60_000 }, (_, n) => `"/${n}":{"get":{"responses":{}}}`).join())),
  'yaml-aliases': () => ({
    type: 'application/yaml',
    body: `a0: &a0 [x]\n${Array.from({ length: 60 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join()}]\n`).join('')}`,
  }),
  'deep-page': () => html(`<p>${'<div>'.repeat(400_000)}text`),
  'open-links': () => html('<a href=x>'.repeat(300_000)),
  'many-heads': () =>
    html(`<head>${'<meta property="og:title" content="x">'.repeat(100_000)}</head><p>${'word '.repeat(100)}`),
  'large-page': () => html(`<p>${'word '.repeat(LARGE_BYTES / 5)}`),
  searxng: () =>
    json(`{"results":[${Array(50_000).fill('{"url":"http://127.0.0.1/","title":"t"}').join()}]}`),
  'searxng-large': () =>
    json(
      `{"results":[{"url":"http://127.0.0.1/","title":"t","content":"${'word '.repeat(LARGE_BYTES / 5)}"}]}`,
    ),
}
export const hostileAnswers = Object.keys(answers)

const plain = { type: 'text/plain', bytes: Buffer.from('ok') }

/** Listens on a free port. Answers are generated once and cached, so that they do not affect measurements. */
export async function startHostileService(): Promise<HostileService> {
  const made = new Map(hostileAnswers.map((name) => [name, prepare(name)]))
  const server = createServer((request, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x')
    const [, name = ''] = pathname.split('/')
    const question = searchParams.get('q') ?? ''
    const place = question === 'large page' ? 'large-page' : 'ok'
    const page = { url: `http://${request.headers.host}/${place}`, title: 'Page', content: 'A page.' }
    request.resume().on('end', () => {
      // The words of a search select its answer.
      const { type, bytes } = question.endsWith(' page')
        ? { type: 'application/json', bytes: Buffer.from(JSON.stringify({ results: [page] })) }
        : (made.get(question === 'large answer' ? 'searxng-large' : name) ?? plain)
      response.writeHead(200, { 'content-type': type }).end(bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function prepare(name: string): { type: string; bytes: Buffer } {
  const { type, body } = answers[name]?.() ?? { type: 'text/plain', body: '' }
  return { type, bytes: Buffer.from(body) }
}
