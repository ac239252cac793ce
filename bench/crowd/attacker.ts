import { setMaxListeners } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { says, startModelServer } from '../../tests/support/model-server.ts'

/**
 * Simulates one ordinary account that does everything allowed concurrently until it is stopped: unread streams, the largest
 * pages, searches, the largest messages, replies, tool calls, and expensive bodies. Started by `bench/crowd.ts`; its answer
 * lists what it did.
 */
export type Ready = { modelUrl: string; controlUrl: string }
export type Orders = { url: string; token: string; bigSession: string; sessions: string[]; model: string }

/** Its model keeps running, so the others' installation stays unchanged. */
const over = new AbortController()
setMaxListeners(0, over.signal)
const did: Record<string, Record<string, number>> = {}
const count = (what: string, how: string | number) => {
  did[what] ??= {}
  did[what][how] = (did[what][how] ?? 0) + 1
}

const model = await startModelServer()
model.always([says(...Array.from({ length: 400 }, (_, n) => `word${n} `))])
process.once('message', (orders: Orders) => {
  attack(orders)
  process.once('message', () => {
    over.abort()
    process.send?.(did)
  })
})
// The parent process has ended.
process.once('disconnect', () => process.exit(1))
process.send?.({ modelUrl: model.url, controlUrl: await startControl() } satisfies Ready)

function attack({ url, token, bigSession, sessions, model }: Orders): void {
  const headers = { authorization: `Bearer ${token}` }
  const json = { ...headers, 'content-type': 'application/json' }
  const post = (path: string, body: string) => ({ path, init: { method: 'POST', headers: json, body } })
  const get = (path: string) => ({ path, init: { headers } })
  const pick = () => sessions[Math.floor(Math.random() * sessions.length)] ?? bigSession
  const say = (content: string, name = model) =>
    post('/messages', JSON.stringify({ chat_session_id: pick(), content, model_name: name }))
  const always = (what: string, atOnce: number, next: () => { path: string; init: RequestInit }) => {
    // In random order, because requests are served in the order they arrive.
    for (let n = 0; n < atOnce; n += 1) setTimeout(() => void repeat(what, url, next), Math.random() * 1_000)
  }
  for (let n = 0; n < 80; n += 1) void holdStream(url, token, bigSession)
  always('page', 12, () => get(`/sessions/${bigSession}/active-branch?limit=500`))
  always('search', 8, () => get(`/sessions?q=${encodeURIComponent('zebra umbrella')}`))
  always('find', 4, () => get(`/sessions/${bigSession}/tree/search?q=zebra`))
  always('large message', 4, () => say(`${'\n'.repeat(900_000)}a`, 'atrium/offline'))
  always('reply', 24, () => say('Tell me everything.'))
  always('tool', 8, () =>
    post('/tools/calculator/execute', JSON.stringify({ inputs: { a: 1, b: 2, operation: 'add' } })),
  )
  always('brackets', 4, () => post('/messages', '['.repeat(7_000_000)))
  always('numbers', 2, () => post('/messages', `[${'1,'.repeat(3_000_000)}1]`))
  always('small', 16, () => get('/users/me'))
}

async function repeat(what: string, url: string, next: () => { path: string; init: RequestInit }) {
  while (!over.signal.aborted) {
    try {
      const { path, init } = next()
      const answer = await fetch(`${url}/api/v1${path}`, {
        ...init,
        signal: AbortSignal.any([over.signal, AbortSignal.timeout(30_000)]),
      })
      await answer.arrayBuffer()
      count(what, answer.status)
      // Retries after a refusal, but sooner than asked.
      if (answer.status === 429) await sleep(50)
    } catch {
      count(what, 'lost')
      await sleep(50)
    }
  }
}

/** Opens a stream on a raw socket and never reads it. */
async function holdStream(url: string, token: string, session: string) {
  const { hostname, port } = new URL(url)
  while (!over.signal.aborted) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname)
      const path = `/api/v1/sessions/${session}/task-stream?include_chunks=true`
      socket.write(
        `GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${token}\r\n\r\n`,
      )
      socket.pause()
      over.signal.addEventListener('abort', () => socket.destroy(), { once: true })
      socket.once('close', () => resolve())
      socket.once('error', () => resolve())
    })
    count('stream', 'ended')
    await sleep(100)
  }
}

/** A server that reads its input and answers almost nothing. */
async function startControl(): Promise<string> {
  const server = createServer((request, answer) => request.resume().on('end', () => answer.end('{}')))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
