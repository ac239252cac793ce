import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { statusOf } from '../../src/shared/platform/errors.ts'
import { certainRequests } from '../support/fuzz/certain.ts'
import { describedRequest } from '../support/fuzz/described.ts'
import { type FuzzedProduct, startFuzzedProduct } from '../support/fuzz/fuzzed-product.ts'
import { type FuzzedRequest, requestsTo } from '../support/fuzz/requests.ts'
import { type RouteToFuzz, readRoutes } from '../support/fuzz/routes.ts'
import { endsTokens, fillProduct, type People, type Who } from '../support/fuzz/rows.ts'
import { type Answered, send } from '../support/fuzz/send.ts'

/** Requests per route. A route's time is that of its fastest request. */
const count = Math.max(120, Number(process.env.FAULTS_REQUESTS ?? 0))
/** Minimum requests per route, whatever time they take. A route whose own code has not answered yet gets all of them. */
const least = 12
const seed = Number(process.env.FAULTS_SEED ?? 20261122)
/** Characters of the server's log shown after a failure. */
const MAX_LOG_CHARACTERS = 8_000
const budgetMs = process.env.FAULTS_REQUESTS ? Number.POSITIVE_INFINITY : 45_000

let fuzzed: FuzzedProduct
let routes: RouteToFuzz[]
let people: People
beforeAll(async () => {
  fuzzed = await startFuzzedProduct()
  people = await fillProduct(fuzzed)
  routes = (await readRoutes(fuzzed.product.url)).sort((a, b) => order(a) - order(b))
})
afterAll(() => fuzzed.close())

/** Destructive requests are later, deletions of accounts follow, and the end of everybody's sign-ins is last. */
const order = ({ method, path }: RouteToFuzz) => {
  if (path.endsWith('/companies/{companyId}/sign-out')) return 4
  if (path.endsWith('/erasure') && method === 'POST') return 3
  return method !== 'DELETE' ? 0 : path.includes('{') ? 1 : 2
}

type Tried = { who: Who; asked: FuzzedRequest; answered: Answered }
/** One request per distinct failure of a route. */
const faults = new Map<string, string>()
/** Routes that showed private data to its owner. Without any, a check that others see none is meaningless. */
const shown = new Set<string>()
const reached = new Map<string, Set<string>>()

it('answers every request as described, or refuses it in the common format, whatever its content and caller [PG-12]', {
  timeout: 400_000,
}, async () => {
  for (const { route, ...certain } of certainRequests(people.known)) {
    const found = routes.find(({ name }) => name === route)
    if (found) look(found, { ...certain, answered: await tryOne(found, certain.who, certain.asked) })
  }
  for (const route of routes) {
    const described = isReached(route) ? null : await describedRequest(route, people.someThings)
    if (described)
      look(route, { ...described, answered: await tryOne(route, described.who, described.asked) })
  }
  const until = performance.now() + budgetMs
  for (const [n, route] of routes.entries()) {
    const requests = fc.sample(requestsTo(route, people.known), { numRuns: count, seed: seed + n })
    const share = (until - performance.now()) / (routes.length - n)
    await tryAll(route, requests, performance.now() + share)
  }
  if (process.env.FAULTS_REQUESTS) console.log(summary())
  if (faults.size > 0)
    console.log(
      'FAULTS',
      JSON.stringify(Object.fromEntries(faults), null, 1),
      fuzzed.product.output().slice(-MAX_LOG_CHARACTERS),
    )
  expect(Object.fromEntries(faults)).toEqual({})
  expect(fuzzed.isSameProcess()).toBe(true)
  expect(shown.size).toBeGreaterThan(2)
})

/** Routes that need a secret, a public address, a user's server, database, channel or receiver of the audit log, or a multipart or model file, or a call of another person, or end sign-ins, have tests of their own. */
const apart =
  /second-factor\/app\/confirm|^GET \/tool-accounts\/client\.json$|^(?:POST|PATCH|DELETE) \/installed-models|^POST \/retrieval-bench\/sets\/.*feedback$|^GET \/tool-interfaces|^GET \/receipts|users\/\{userId\}\/erasure|companies\/\{companyId\}\/sign-out|^\w+ \/mcp-servers\/.*(tools|prompts)$|^POST \/payments\/stripe$|^POST \/connectors\/.*\/notifications$|^(?:POST|PUT) \/admin\/databases(?:\/test|\/\{databaseId\})?$|^GET \/admin\/databases\/.*tables$|^(?:POST|PUT) \/admin\/channels(?:\/test|\/\{channelId\})?$|^(?:POST|PUT|DELETE) \/admin\/audit-stream|^PUT \/notifications\/push$|^PUT \/admin\/companies\/\{companyId\}\/brand\/logos|\/decide$|^POST \/v1\/(files|audio\/transcriptions)$/

it('reaches the own code of every route at least once', () => {
  const unreached = routes.filter((route) => !apart.test(route.name) && !isReached(route))
  expect(unreached.map(({ name }) => `${name}: ${[...(reached.get(name) ?? [])].join(' ')}`)).toEqual([])
})

async function tryAll(route: RouteToFuzz, requests: FuzzedRequest[], until: number): Promise<void> {
  const people = ['user', 'super_admin', 'stranger', 'company_admin', 'user', 'anonymous'] as const
  let sent = 0
  const waiting = requests.map((asked, n) => ({ asked, who: people[n % people.length] as Who }))
  const work = async () => {
    while (sent < least || performance.now() < until || !isReached(route)) {
      const next = waiting.shift()
      if (!next) return
      sent += 1
      look(route, { ...next, answered: await tryOne(route, next.who, next.asked) })
    }
  }
  await Promise.all(Array.from({ length: 6 }, work))
  // Failure counts are tested elsewhere; here they would hide later results.
  await fuzzed.db.deleteFrom('rate_limits').execute()
}

async function tryOne(route: RouteToFuzz, who: Who, asked: FuzzedRequest): Promise<Answered> {
  const token = endsTokens(route) ? await people.aDisposableToken(who) : people.tokens[who]
  return send(fuzzed.product.url, asked, token).catch((error: Error) => ({
    ...{ status: 0, type: '', text: `${error.name} ${error.message}` },
  }))
}

/** Answers that may report something missing elsewhere: the model's provider, a database, a receiver, a source, or storage. */
const honest =
  /^\/v1\/|mcp-servers|admin\/(?:databases|audit-stream)|connector|connections|transcribe|login|execute|generate|messages/

function look(route: RouteToFuzz, { who, asked, answered }: Tried): void {
  const { status, text } = answered
  const codes = reached.get(route.name) ?? new Set()
  reached.set(route.name, codes)
  const wrong = wrongAnswer(route, answered) ?? foreignData(route, who, asked, answered)
  if (who === 'user' && text.includes(people.mark)) shown.add(route.name)
  codes.add(status < 400 ? String(status) : `${status}:${codeOf(text)}`)
  if (!wrong) return
  const { method, path, headers, body } = asked
  const sent = `${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 200)} ${body?.slice(0, 400)}`
  faults.set(`${wrong}: ${route.name}`, `${who} ${sent} => ${status} ${text.slice(0, 200)}`)
}

/** Returns private data of the user in another caller's answer, unless that caller sent it. */
function foreignData({ access }: RouteToFuzz, who: Who, { path, body }: FuzzedRequest, { text }: Answered) {
  // Holders of a link or a ticket may read what it opens.
  if (access === 'public' || (who !== 'stranger' && who !== 'company_admin')) return null
  if (body?.includes(people.mark) || path.includes(encodeURIComponent(people.mark))) return null
  return text.includes(people.mark) ? 'something of somebody else' : null
}

function wrongAnswer({ path, statuses, base }: RouteToFuzz, { status, type, text }: Answered): string | null {
  if (status === 0) return 'no answer'
  const codes = statuses.get(String(status))
  if (!codes) return 'a status that is not described'
  if (status < 400) return null
  if (!type.startsWith('application/json')) return 'an error that is no JSON'
  const error = readError(text)
  if (!error) return 'an error of another form'
  if (base !== '/v1' && statusOf[error.code as keyof typeof statusOf] !== status)
    return 'another status than its code'
  if (base !== '/v1' && !codes.includes(error.code)) return 'a code that is not described'
  if (/\bat \S+ \(|node:|\.ts\b|\/src\/|node_modules|select .* from|received undefined/i.test(error.detail))
    return 'a detail of the inside'
  if (status < 500 || (status > 501 && honest.test(path))) return null
  return 'a failure of the server'
}

function readError(text: string): { code: string; detail: string } | null {
  try {
    const parsed = JSON.parse(text) as Record<string, unknown>
    const error = parsed.error ? fromWire(parsed.error as Record<string, unknown>) : parsed
    const names = Object.keys(error).filter((name) => !['detail', 'code', 'errors'].includes(name))
    if (names.length > 0 || typeof error.detail !== 'string' || typeof error.code !== 'string') return null
    const errors = error.errors ?? []
    const isField = (one: Record<string, unknown>) =>
      typeof one.path === 'string' && typeof one.message === 'string' && Object.keys(one).length === 2
    return Array.isArray(errors) && errors.every(isField) ? (error as { code: string; detail: string }) : null
  } catch {
    return null
  }
}

/** The OpenAI wire has its own error format, with another code for a missing key. */
function fromWire({ message, code, type, param, ...more }: Record<string, unknown>): Record<string, unknown> {
  const isWhole = typeof type === 'string' && param !== undefined
  return isWhole
    ? { detail: message, code: code === 'invalid_api_key' ? 'unauthenticated' : code, ...more }
    : {}
}

const codeOf = (text: string) => readError(text)?.code ?? '?'

/** Codes that the checks before every route may answer. */
const ofTheGate = /:(malformed|invalid|unauthenticated|forbidden|not_found|too_large|rate_limited|\?)$/
const isReached = ({ name }: RouteToFuzz) => [...(reached.get(name) ?? [])].some(isOwnAnswer)
const isOwnAnswer = (answer: string) => !ofTheGate.test(answer)

function summary(): string {
  return [...reached].map(([name, codes]) => `${name}: ${[...codes].sort().join(' ')}`).join('\n')
}
