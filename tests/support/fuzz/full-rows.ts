import type { TestApp } from '../app.ts'
import { aBelief, aMessage, aSession } from '../builders.ts'
import { openStream } from '../event-stream.ts'
import { longChats } from '../long-chats.ts'
import { calls, type Script, says } from '../model-server.ts'
import type { FuzzedProduct } from './fuzzed-product.ts'
import { fillings, long } from './limits.ts'
import type { ToMeasure } from './measure.ts'
import type { FuzzedRequest } from './requests.ts'
import type { RouteToFuzz } from './routes.ts'
import type { People } from './rows.ts'
import type { Known } from './values.ts'

const MEGABYTE = 1_000_000
/** Characters of a long reply: some hundred pages. */
const REPLY = 500_000
const scripted = 'compatible/scripted'

/** The user's rows at their maximum size, and the model's answer to the next request. */
export type Full = {
  sessions: string[]
  checkpoints: string[]
  chats: Record<'offline' | 'scripted', string>
}

/** Creates chats with long messages, long replies and very many messages, very many chats, and a full working memory. */
export async function fillToTheLimit({ db, model, product }: FuzzedProduct, people: People): Promise<Full> {
  const app = { deps: { db, clock: { now: () => new Date() } } } as unknown as Pick<TestApp, 'deps'>
  const user = { id: people.userId }
  const [many = ''] = await longChats(app, user, { chats: 1, messages: 10_000 })
  await longChats(app, user, { chats: 2_000, messages: 2, bare: true })
  const large = await aSession(app, user, { turns: 1, modelName: scripted })
  for (const filling of [fillings.lines, fillings.letters, fillings.emoji, fillings.quotes])
    await aMessage(app, large.id, {
      parentId: large.messageIds[1],
      content: long(filling ?? '', MEGABYTE / 4),
    })
  const fullest = Array(24).fill('a '.repeat(120))
  const belief = { goals: fullest.slice(0, 6), facts: fullest, open_questions: fullest.slice(0, 8) }
  const [, reply = ''] = large.messageIds
  await aBelief(app, user, { messageId: reply, ...belief })
  const numbered = (start: number) => Array.from({ length: 72_000 }, (_, n) => `${start + n}`).join('\n')
  const sum = calls('calculator', { a: 1, b: 2, operation: 'add' })
  const saysAll = (text: string) => says(...(text.match(/.{1,20000}/gs) ?? []))
  const scripts: Script[][] = [
    [[saysAll(numbered(0))]],
    [[saysAll(numbered(400_000))]],
    // An answer of only white space would be requested again.
    [[saysAll(`a${long('\n', REPLY)}b`)]],
    [[saysAll(long('a\nb\n', REPLY))]],
    [[says('a'), ...Array(100).fill(sum)], [saysAll(long('```\n', REPLY))]],
  ]
  const url = `${product.url}/api/v1`
  const headers = { authorization: `Bearer ${people.tokens.user}` }
  const replies: string[] = []
  const checkpoints: string[] = []
  for (const script of scripts) {
    const { id } = await aSession(app, user, { modelName: scripted })
    model.reply(...script)
    const body = { content: 'Go' }
    const stream = await openStream(`${url}/sessions/${id}/messages`, { method: 'POST', headers, body })
    await stream.ended
    if ((stream.view()?.content.length ?? 0) < REPLY / 2) throw new Error('the reply was not stored')
    const answer = await fetch(`${url}/sessions/${id}/checkpoints`, { headers })
    const listed = (await answer.json()) as { id: string }[]
    checkpoints.push(...listed.slice(-2).map((one) => one.id))
    replies.push(id)
  }
  const chats = {
    offline: (await aSession(app, user, { modelName: 'atrium/offline' })).id,
    scripted: (await aSession(app, user, { modelName: scripted })).id,
  }
  return { sessions: [many, large.id, ...replies], checkpoints, chats }
}

/** Calls every reading route on those rows, compares branches, and sends a message of every filling to both kinds of models. */
export function readingAll(routes: RouteToFuzz[], full: Full, known: Known): ToMeasure[] {
  return [...readings(routes, full, known), ...comparisons(full), ...messages(full), ...executions()]
}

function readings(routes: RouteToFuzz[], { sessions }: Full, known: Known): ToMeasure[] {
  const reading = routes.filter(({ method }) => method === 'GET')
  return reading.flatMap((route) => {
    const rows = route.inPath.includes('sessionId') ? sessions : [null]
    const queries = route.query.q ? ['', '?q=a', '?q=%25', '?q=1%0A2'] : ['']
    return rows.flatMap((row) =>
      [...queries, ...(route.query.limit ? [`?limit=${route.query.limit.maximum ?? 200}`] : [])].map(
        (query) => {
          const rowOf = (name: string) => (name === 'sessionId' && row) || String(known(name)[0] ?? 'x')
          const path = route.inPath.reduce(
            (at, name) => at.replace(`{${name}}`, encodeURIComponent(rowOf(name))),
            route.path,
          )
          const n = row === null ? '' : ` of chat ${sessions.indexOf(row)}`
          return aReading(`${route.name}${query}${n}`, path + query)
        },
      ),
    )
  })
}

function comparisons({ checkpoints }: Full): ToMeasure[] {
  return checkpoints.map((b, n) => {
    const query = new URLSearchParams({ a: checkpoints.at(n - 1) ?? b, b })
    return aReading(`GET /checkpoints/compare ${n}`, `/checkpoints/compare?${query}`)
  })
}

function messages({ chats, sessions }: Full): ToMeasure[] {
  const contents = Object.entries(fillings).map(([name, filling]) => ({ name, filling }))
  const sent = contents.flatMap(({ name, filling }) =>
    Object.entries({ ...chats, 'a chat with a long reply': sessions.at(-1) ?? '' }).map(([chat, id]) => {
      const text = () =>
        long(filling, Math.floor((MEGABYTE * filling.length) / Buffer.byteLength(filling)) - 1)
      return aChange(`a message of ${name} to ${chat}`, `/sessions/${id}/messages`, () => ({
        content: text(),
      }))
    }),
  )
  return sent
}

function executions(): ToMeasure[] {
  const digits = '9'.repeat(400)
  const hugest = ['9e9999', '-9e-9999', digits, `0.${'9'.repeat(390)}`, `${'0'.repeat(399)}1`]
  return [
    ...['add', 'subtract', 'multiply', 'divide'].flatMap((operation) =>
      hugest.map((a) =>
        aChange(`${operation} ${a.slice(0, 12)}`, '/tools/calculator/execute', () => ({
          inputs: { ...{ a, b: hugest.at(-2), operation } },
        })),
      ),
    ),
    ...Object.entries(fillings).map(([name, filling]) =>
      aChange(`weather of ${name}`, '/tools/weather/execute', () => ({
        inputs: { location: `x${long(filling, 198)}x` },
      })),
    ),
  ]
}

const aReading = (what: string, path: string): ToMeasure => ({
  ...{ what, like: what, who: 'user', ask: () => ({ method: 'GET', path, headers: {}, body: undefined }) },
})

const aChange = (what: string, path: string, sent: () => object): ToMeasure => ({
  ...{ what, like: what, who: 'user' },
  ask: (): FuzzedRequest => ({
    ...{ method: 'POST', path, body: JSON.stringify(sent()) },
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
  }),
})
