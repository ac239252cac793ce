import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { connect, migrate, startPostgres } from '../src/server/platform/db/db.ts'
import { createLog } from '../src/server/platform/log.ts'
import { openBrowser, openContext } from '../tests/support/browser.ts'
import { databaseUrl } from '../tests/support/database-url.ts'
import { type Product, startProduct } from '../tests/support/product.ts'
import { type Shape, storeConversation } from './branches/conversation.ts'
import { inPage } from './branches/in-page.ts'
import { median, round } from './measure/statistics.ts'
import { below } from './measure/targets.ts'

const root = join(import.meta.dirname, '..')
const shape: Shape = { trunk: 7500, branches: 500, perBranch: 5 }

/**
 * Measures a conversation of 10,000 messages with 500 branches: the page of the active branch on the server, a branch switch
 * and the branch map in the browser. Uses the built product with its own database; build the web first.
 *
 *   --reads 50   --runs 8
 */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: { reads: { type: 'string', default: '50' }, runs: { type: 'string', default: '8' } },
  })
  if (!existsSync(join(root, 'dist/web/index.html'))) throw new Error('Build the page first: npm run build')
  const folder = mkdtempSync(join(tmpdir(), 'atrium-branches-'))
  const log = createLog('error')
  const postgres = await startPostgres({ dataDir: folder, log })
  const connection = connect(postgres.address, log)
  await migrate(connection.pool)
  const product = await startProduct({ env: { DATABASE_URL: databaseUrl(postgres.address) } })
  const browser = await openBrowser()
  try {
    const token = await signUp(product)
    const { id: userId } = await read<{ id: string }>(product, token, '/users/me')
    const sessionId = await storeConversation(connection.db, userId, shape)
    const server = await measureServer(product, token, sessionId, Number(values.reads))
    const page = await measureBrowser(browser, product, { token, sessionId, runs: Number(values.runs) })
    return {
      conversation: { messages: shape.trunk + shape.branches * shape.perBranch, branches: shape.branches },
      ...{ server, browser: page },
      targets: [
        below('page of the active branch, p95', server.activeBranch.p95, 100, 'ms'),
        below('switch to a branch, p95', page.switch.p95, 300, 'ms'),
        below('switch to a branch seen before, p95', page.switchBack.p95, 300, 'ms'),
        below('DOM nodes of the branch map', page.mapNodes, 1500, 'nodes'),
      ],
    }
  } finally {
    await browser.close()
    await product.stop()
    await connection.close()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function signUp({ url }: Product): Promise<string> {
  const account = { username: 'ada', email: 'ada@example.com', password: 'correct horse' }
  const post = (path: string, body: string, type: string) =>
    fetch(`${url}/api/v1${path}`, { method: 'POST', body, headers: { 'content-type': type } })
  await post('/users', JSON.stringify(account), 'application/json')
  const form = new URLSearchParams({ username: account.username, password: account.password })
  const answer = await post('/token', form.toString(), 'application/x-www-form-urlencoded')
  return ((await answer.json()) as { access_token: string }).access_token
}

async function read<T>({ url }: Product, token: string, path: string): Promise<T> {
  const answer = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

async function measureServer(product: Product, token: string, sessionId: string, reads: number) {
  const times = async (path: string, count: number) => {
    const all: number[] = []
    // Warm-up for the caches of the database and the compiler.
    for (let at = -3; at < count; at += 1) {
      const started = performance.now()
      await read(product, token, `/sessions/${sessionId}${path}`)
      if (at >= 0) all.push(performance.now() - started)
    }
    return spread(all)
  }
  return { activeBranch: await times('/active-branch', reads), tree: await times('/tree', 10) }
}

type Sitting = { token: string; sessionId: string; runs: number }

async function measureBrowser(
  browser: Browser,
  { url }: Product,
  { token, sessionId, runs }: Sitting,
): Promise<{ switch: Spread; switchBack: Spread; mapMs: Spread; mapNodes: number; keyMs: Spread }> {
  const [first, back, map, keys]: number[][] = [[], [], [], []]
  let mapNodes = 0
  for (let at = 0; at < runs; at += 1) {
    const context = await openContext(browser, { url, token, width: 1440, height: 900 })
    const page = await context.newPage()
    await page.goto(`/chat/${sessionId}`)
    await page.locator('[data-step="1"]').first().waitFor()
    await page.waitForTimeout(500)
    first?.push(await inPage.step(page, 1))
    await page.waitForTimeout(500)
    back?.push(await inPage.step(page, -1))
    await page.waitForTimeout(500)
    map?.push(await inPage.openMap(page))
    mapNodes = Math.max(mapNodes, await inPage.mapNodes(page))
    keys?.push(...(await pressKeys(page)))
    await context.close()
  }
  const of = (all: number[] | undefined) => spread(all ?? [])
  return { switch: of(first), switchBack: of(back), mapMs: of(map), mapNodes, keyMs: of(keys) }
}

async function pressKeys(page: Page): Promise<number[]> {
  await page.getByRole('tree').focus()
  const all: number[] = []
  for (const key of ['Home', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'End', 'ArrowUp']) {
    all.push(await inPage.key(page, key))
  }
  return all
}

type Spread = { median: number; p95: number; worst: number }

function spread(all: number[]): Spread {
  const sorted = [...all].sort((a, b) => a - b)
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN
  return { median: round(median(sorted)), p95: round(p95), worst: round(sorted.at(-1) ?? Number.NaN) }
}
