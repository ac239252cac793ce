import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Account } from '../support/account.ts'
import { says, waits } from '../support/model-server.ts'
import { startWeatherServer, type WeatherServer } from '../support/weather-server.ts'
import { readPlan } from './random.ts'
import { type SearchingProduct, startSearchingProduct } from './searching-product.ts'

const plan = readPlan(1)
/** Maximum concurrent model calls, which are repeated after a kill. */
const MAX_CONCURRENT_CALLS = 4

let product: SearchingProduct
let weather: WeatherServer
let register: Server
let documentId: string

beforeAll(async () => {
  weather = await startWeatherServer()
  register = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ results: [company] }))
  })
  await new Promise<void>((resolve) => register.listen(0, '127.0.0.1', resolve))
  product = await startSearchingProduct('tool-kills', {
    OPEN_METEO_URL: weather.url,
    COMPANY_REGISTER_URL: `http://127.0.0.1:${(register.address() as AddressInfo).port}`,
  })
  product.model.always(() => [waits(sleep(80)), says('- The harbour ', 'is deep [1]')])
  const content = `<p>${'The harbour of Brest was dredged to a depth of 17 metres. '.repeat(6)}</p>`
  product.web.has({ '/harbour': { title: 'Harbour of Brest', content } })
  documentId = await upload('harbour.txt', harbour)
})
afterAll(async () => {
  await product.close()
  register.close()
  await weather.close()
})

const company = {
  ...{ siren: '1', nom_complet: 'VOLCANIS' },
  dirigeants: [{ nom: 'VASSEUR', prenoms: 'ADA', qualite: 'Gérant', type_dirigeant: 'personne physique' }],
}
const harbour = Array.from(
  { length: 300 },
  (_, n) =>
    `Berth ${n} of the harbour is ${n % 17} metres deep at low tide, and its quay is ${n} metres long.`,
).join('\n\n')
const account = (): Account => product.account()

async function upload(name: string, content: string): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([content]), name)
  const answer = await fetch(`${product.url()}/api/v1/documents/upload`, {
    ...{ method: 'POST', headers: { authorization: `Bearer ${account().token}` }, body: form },
  })
  const { id } = (await answer.json()) as { id: string }
  const read = async () => (await account().call<{ status: string }>('GET', `/documents/${id}`)).status
  await vi.waitFor(async () => expect(await read()).toBe('completed'), { timeout: 30_000, interval: 50 })
  return id
}

type Execution = {
  id: string
  finished_at: string | null
  error: string | null
  result: unknown
  request: { checkpoint_name?: string } | null
}

/** Executes a tool and answers its questions. If `killAfter` is set, the product is killed after this many milliseconds and restarted. */
async function execute(tool: string, inputs: object, killAfter: number | null) {
  const { id: session_id } = await account().call<{ id: string }>('POST', '/sessions', {
    model_name: 'compatible/scripted',
  })
  const asked = product.model.requests.length
  const started = await account().call<{ tool_execution_id: string }>('POST', `/tools/${tool}/execute`, {
    inputs,
    session_id,
  })
  const from = performance.now()
  if (killAfter !== null) {
    await sleep(killAfter)
    await product.kill()
    await product.start()
  }
  const look = () => account().call<Execution>('GET', `/tool-executions/${started.tool_execution_id}`)
  let done: Execution | null = null
  const isOver = async () => {
    done = await look().catch(() => null)
    const asks = done?.request?.checkpoint_name
    if (asks) await say(started.tool_execution_id, asks.includes('selection') ? '1' : 'yes')
    return done?.finished_at ?? null
  }
  await expect.poll(isOver, { timeout: 30_000, interval: 20 }).not.toBeNull()
  const { id, error, result } = await look()
  return {
    ms: performance.now() - from,
    calls: product.model.requests.length - asked,
    essence: { error, result: withoutIds(result), ...(await effectsOf(id)) },
  }
}

/** A second answer to the same question is ignored. */
const say = (id: string, input: string) =>
  account()
    .call('POST', `/tool-executions/${id}/provide-input`, { input, input_type: 'text' })
    .catch(() => null)

/** Returns its effects: the stored files, and the bookings, each step once. */
async function effectsOf(id: string) {
  const { run_id } = await product.db
    .selectFrom('tool_executions')
    .select('run_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const files = await product.db
    .selectFrom('media')
    .select(['name', 'size'])
    .where('run_id', '=', run_id)
    .orderBy('name')
    .execute()
  const booked = await product.db
    .selectFrom('ledger_entries')
    .select('step_key')
    .where('run_id', '=', run_id)
    .where('kind', '=', 'usage')
    .orderBy('step_key')
    .execute()
  return { files, booked: booked.map(({ step_key }) => step_key) }
}

/** File addresses differ between executions. */
const withoutIds = (result: unknown): unknown =>
  JSON.parse(
    JSON.stringify(result, (key, value) =>
      /^(?:id|url|download_url)$/.test(key) && /\/assets\/tools\/|^[0-9a-f-]{36}$/.test(String(value))
        ? ''
        : value,
    ),
  )

const program =
  'let sum = 0\nfor (let n = 0; n < 2e6; n += 1) sum += n % 7\nfiles.write("sum.txt", String(sum))\nconsole.log(sum)'

describe('kill -9 during a tool', () => {
  it.each([
    ['web_search', () => ({ query: 'How deep is the harbour of Brest?' })],
    ['document_search', () => ({ query: 'How deep is berth 12?', read_all: false })],
    ['code_interpreter', () => ({ request: `\`\`\`js\n${program}\n\`\`\`` })],
    ['text_compressor', () => ({ intent: 'How deep is it?', document_ids: [documentId] })],
    ['prospecting', () => ({ query: 'emballage', companies: 1, contacts: 1 })],
    ['weather', () => ({ location: 'Lyon' })],
    ['calculator', () => ({ a: 6, b: 7, operation: 'multiply' })],
  ])(
    `%s ends as if nothing had happened (${plan.count} moments) [R-13]`,
    { timeout: 60_000 + plan.count * 30_000 },
    async (tool, inputs) => {
      const calm = await execute(tool, inputs(), null)
      expect(calm.essence.error).toBeNull()
      for (let at = 0; at < plan.count; at += 1) {
        const moment = plan.random() * calm.ms
        const killed = await execute(tool, inputs(), moment)
        expect(killed.essence, `killed after ${Math.round(moment)} ms`).toEqual(calm.essence)
        expect(killed.calls - calm.calls).toBeLessThanOrEqual(MAX_CONCURRENT_CALLS)
      }
      console.log(`faults: ${tool} takes ${Math.round(calm.ms)} ms and ${calm.calls} calls of the model`)
    },
  )
})
