import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { connect, migrate, startPostgres } from '../src/server/platform/db/db.ts'
import { createLog } from '../src/server/platform/log.ts'
import { accountAt, settledIn } from '../tests/support/account.ts'
import { openBrowser, openContext } from '../tests/support/browser.ts'
import { databaseUrl } from '../tests/support/database-url.ts'
import { fillPalette } from '../tests/support/palette-crowd.ts'
import { timePalette } from '../tests/support/palette-times.ts'
import { type Product, startProduct } from '../tests/support/product.ts'
import { median, round } from './measure/statistics.ts'
import { below } from './measure/targets.ts'

const root = join(import.meta.dirname, '..')
const searches = [
  '',
  'r',
  're',
  'review',
  'review ky',
  'ntra',
  'kessler 9',
  'lyon 42',
  'lease or',
  'nothing has this',
]

/**
 * Measures the palette of a person with 10,000 chats, 5,000 documents and 500 prompts: its answers on the server, and the time from a letter to
 * painted results in the browser. Uses the built product with its own database; build the web first.
 *
 *   --rounds 20
 */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({ args, options: { rounds: { type: 'string', default: '20' } } })
  const rounds = Number(values.rounds)
  if (!existsSync(join(root, 'dist/web/index.html'))) throw new Error('Build the page first: npm run build')
  const folder = mkdtempSync(join(tmpdir(), 'atrium-palette-'))
  const log = createLog('error')
  const postgres = await startPostgres({ dataDir: folder, log })
  const connection = connect(postgres.address, log)
  await migrate(connection.pool)
  const product = await startProduct({ env: { DATABASE_URL: databaseUrl(postgres.address) } })
  const browser = await openBrowser()
  try {
    const token = await signUp(product)
    const { id } = (await read(product, token, '/users/me')) as { id: string }
    await accountAt(product.url, token, 'ada').call('PUT', '/users/me/preferences', {
      preferences: settledIn,
    })
    await fillPalette(connection.db, id)
    await sql`analyze`.execute(connection.db)
    const server = await measureServer(product, token, rounds)
    const context = await openContext(browser, { url: product.url, token, width: 1440, height: 900 })
    const page = await context.newPage()
    await page.goto('/')
    await page.locator('[data-session]').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    const typed = searches.filter((words) => words !== '')
    await timePalette(page, typed)
    const times: number[] = []
    for (let at = 0; at < rounds; at += 1) times.push(...(await timePalette(page, typed)))
    const screen = spread(times)
    return {
      items: { chats: 10_000, documents: 5_000, prompts: 500 },
      ...{ server, screen },
      targets: [
        below('answer of the server, p95', server.p95, 50, 'ms'),
        below('from a letter to the screen, p95', screen.p95, 100, 'ms'),
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

async function read({ url }: Product, token: string, path: string): Promise<unknown> {
  const answer = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

async function measureServer(product: Product, token: string, rounds: number) {
  const times: number[] = []
  // The first rounds warm the caches of the database and the compiler.
  for (let round = -3; round < rounds; round += 1)
    for (const words of searches) {
      const started = performance.now()
      await read(product, token, `/palette?q=${encodeURIComponent(words)}`)
      if (round >= 0) times.push(performance.now() - started)
    }
  return spread(times)
}

function spread(all: number[]) {
  const sorted = [...all].sort((a, b) => a - b)
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN
  return { median: round(median(sorted)), p95: round(p95), worst: round(sorted.at(-1) ?? Number.NaN) }
}
