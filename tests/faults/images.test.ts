import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { accountAt, signUp } from '../support/account.ts'
import { cleanAfterEach } from '../support/cleanups.ts'
import { startImageServer } from '../support/image-server.ts'
import { startProduct } from '../support/product.ts'
import { startSharedDatabase } from './shared-database.ts'

const { afterwards, aFolder } = cleanAfterEach()

type Execution = {
  finished_at: string | null
  events: { type: string; data?: { url?: string; partial_image_index?: number } }[]
  result: { images: { type: string; url: string }[] }
}

it('repeats only the unfinished image after a kill', {
  timeout: 120_000,
}, async () => {
  const provider = await startImageServer()
  afterwards(() => provider.close())
  const database = await startSharedDatabase(aFolder('images'), { isDurable: false })
  afterwards(() => database.stop())
  const dataDir = aFolder('images-data')
  const images = { OPENAI_API_KEY: 'sk-images', OPENAI_BASE_URL: `${provider.url}/v1` }
  const start = () =>
    startProduct({ dataDir, env: { ...images, ...database.env }, entry: 'src/server/main.ts' })
  let product = await start()
  afterwards(() => product.kill())
  const { token } = await signUp(product.url)
  const { call } = accountAt(product.url, token)
  const hanging = new Promise<void>(() => undefined)
  provider.next({ do: 'draw' }, { do: 'draw' }, { do: 'draw', previews: 1, until: hanging })
  const { tool_execution_id } = await call<{ tool_execution_id: string }>(
    'POST',
    '/tools/image_generation/execute',
    { inputs: { prompt: 'Four hills', n: 4 } },
  )
  await expect.poll(() => provider.requests.length, { timeout: 20_000 }).toBe(3)
  const path = `/tool-executions/${tool_execution_id}`
  const urlsIn = ({ events }: Execution) =>
    events.flatMap(({ data }) => (data?.url === undefined ? [] : [data.url]))
  await expect.poll(async () => urlsIn(await call('GET', path)).length, { timeout: 10_000 }).toBe(3)
  const [first, second] = urlsIn(await call('GET', path))
  await product.kill()
  product = await start()
  const again = accountAt(product.url, token).call
  let done: Execution | null = null
  for (const until = Date.now() + 60_000; Date.now() < until && !done?.finished_at; await sleep(200))
    done = await again<Execution>('GET', path).catch(() => null)
  expect(done?.result.images.map(({ type }) => type)).toEqual(Array(4).fill('media_reference'))
  expect(done?.result.images.slice(0, 2).map(({ url }) => url)).toEqual([first, second])
  // Two finished images, a lost one with its repeat, and the last one.
  expect(provider.requests).toHaveLength(5)
})
