import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { webFolder } from '../../src/server/platform/http/web-files/web-files.ts'
import { attackFromElsewhere, timeRequests } from '../support/fuzz/crowd.ts'
import { type FuzzedProduct, startFuzzedProduct } from '../support/fuzz/fuzzed-product.ts'
import { fillProduct, type People } from '../support/fuzz/rows.ts'

const CONNECTIONS = 12
/** Maximum CPU time between two yields of the event loop. */
const STALL_MS = 50
const isWhole = Boolean(process.env.FAULTS_REQUESTS)
const ROUNDS = isWhole ? 4 : 3
const ROUND_MS = isWhole ? 20_000 : 5_000
const timeout = isWhole ? 1_800_000 : 115_000

/** The largest file of the interface. */
const largest = globSync('assets/*.js', { cwd: webFolder }).sort(
  (a, b) => statSync(join(webFolder, b)).size - statSync(join(webFolder, a)).size,
)[0]

/** Addresses that anybody may read, by kind. */
const kinds: Record<string, string[]> = {
  pages: ['/', '/chat', '/embed?authToken=emb_wrong', '/login/google'],
  files: [`/${largest}`, '/embed.js', '/assets/nothing.js'],
  texts: ['/api/v1/openapi.json', '/api/v1/locales/en/common', '/api/v1/login/saml/metadata'],
  questions: ['/api/v1/sign-in-options', '/api/v1/users/me', '/scim/v2/Users', '/api/v1/nothing'],
  probes: ['/api/v1/health', '/api/v1/health?details'],
}
const mixed = Object.values(kinds).flat()

let fuzzed: FuzzedProduct
let people: People
beforeAll(async () => {
  // The default share of anonymous callers.
  fuzzed = await startFuzzedProduct({ ATRIUM_LIMIT_SHARE_PERCENT: '8' })
  people = await fillProduct(fuzzed)
})
afterAll(() => fuzzed.close())

/** Colleagues behind one address, and the files that the first page of each loads. */
const OFFICE = 60
const FILES_EACH = 25

it('an office behind one address loads the interface at the same moment', { timeout }, async () => {
  const { url } = fuzzed.product
  const files = globSync('assets/*.js', { cwd: webFolder }).slice(0, FILES_EACH)
  const paths = ['/', ...files.map((file) => `/${file}`), '/api/v1/sign-in-options', '/api/v1/health']
  const headers = { authorization: `Bearer ${people.tokens.user}` }
  let isOver = false
  const others = timeRequests(`${url}/api/v1/sessions`, headers, () => isOver)
  const statuses = new Map<number, number>()
  const waits = await Promise.all(
    Array.from({ length: OFFICE }, async () => {
      const began = performance.now()
      for (const path of paths) {
        const answer = await fetch(url + path)
        await answer.arrayBuffer()
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      }
      return performance.now() - began
    }),
  )
  isOver = true
  console.log('slowest colleague', Math.round(Math.max(...waits)), 'ms; others', await others)
  expect(statuses).toEqual(new Map([[200, OFFICE * paths.length]]))
  expect(Math.max(...waits)).toBeLessThan(20_000)
})

const attacks = isWhole
  ? [...Object.entries(kinds), ['everything', mixed] as const]
  : [['everything', mixed] as const]

it.each(attacks)(
  'twelve anonymous connections that read %s delay others little',
  { timeout },
  async (_, paths) => {
    const { url } = fuzzed.product
    const headers = { authorization: `Bearer ${people.tokens.user}` }
    const measure = (ms: number) => {
      const until = performance.now() + ms
      return timeRequests(`${url}/api/v1/sessions`, headers, () => performance.now() > until)
    }
    await measure(1_000)
    const rounds: { added: number; stalledMs: number }[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const idle = await measure(ROUND_MS / 2)
      await fuzzed.reset()
      const targets = paths.map((path) => ({ method: 'GET', path }))
      const attack = await attackFromElsewhere({
        ...{ url, connections: CONNECTIONS, targets, bodies: 'none', seed: round, ms: ROUND_MS + 100 },
      })
      await sleep(50)
      const others = await measure(ROUND_MS)
      const answers = await attack.answers
      const { stalledMs } = await fuzzed.read()
      console.log('idle', idle, 'under attack', others, 'stall', Math.round(stalledMs), answers)
      rounds.push({ added: others.p95 - 2 * idle.p95, stalledMs })
    }
    expect(Math.min(...rounds.map(({ added }) => added))).toBeLessThan(isWhole ? 1 : 25)
    expect(Math.max(...rounds.map(({ stalledMs }) => stalledMs))).toBeLessThan(STALL_MS)
  },
)
