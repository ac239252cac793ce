import type { Browser, Page } from 'playwright-core'
import { readTexts } from '../../src/server/platform/http/translations/read-texts.ts'
import { accountAt, settledIn } from './account.ts'
import { openBrowser, openContext, openShell } from './browser.ts'
import { databaseUrl } from './database-url.ts'
import { type ModelServer, startModelServer } from './model-server.ts'
import { type Product, startProduct } from './product.ts'

type Language = 'en' | 'fr'
type Look = {
  language?: Language
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  withWorker?: boolean
}

export type Journey = {
  url: string
  model: ModelServer
  product: Product
  /** Environment of the product. */
  env: Record<string, string>
  /** Continues with another process of the product. */
  use: (product: Product) => void
  browser: Browser
  /** Opens a page in a fresh profile; a token signs it in. Page errors are collected. */
  open: (path: string, options?: Look & { token?: string }) => Promise<Page>
  /** Errors of all pages so far. */
  errors: string[]
  /** Discards what a failed test left: pages, model scripts and errors. */
  fresh: () => Promise<void>
  /** Creates an account and returns its access token; a taken name gets a number. */
  signUp: (username: string, language?: Language) => Promise<string>
  close: () => Promise<void>
}

export const PASSWORD = 'correct horse'

type Options = {
  tokensPerSecond?: number
  env?: Record<string, string>
  /** Preserved at the end, and the product supervises its own database. */
  dataDir?: string
  /** The product supervises its own database, like a new installation. */
  ownDatabase?: boolean
  /** Additional browser flags. */
  flags?: string[]
  /** Uses Chromium itself, since only it gives a sandboxed frame its own process. */
  hasOwnFrames?: boolean
}

/** Starts the real product, a scripted model connected to it, and a real browser. */
export async function startJourney(options: Options = {}): Promise<Journey> {
  const model = await startModelServer({
    tokensPerSecond: options.tokensPerSecond ?? 200,
    models: ['large', 'small'],
  })
  const { dataDir } = options
  const database = await findDatabase(options)
  const env = {
    ...{ ATRIUM_COMPATIBLE_URL: model.url, ATRIUM_COMPATIBLE_NAME: 'house' },
    ...database.env,
    ...options.env,
  }
  const open = options.hasOwnFrames ? openBrowser : openShell
  const [product, browser] = await Promise.all([startProduct({ env, dataDir }), open(options.flags)])
  const errors: string[] = []
  const names = new Set<string>()
  const journey: Journey = {
    url: product.url,
    model,
    product,
    env,
    use: (next) => {
      journey.product = next
      journey.url = next.url
    },
    browser,
    errors,
    async open(path, { token, ...look } = {}) {
      const context = await openContext(browser, { url: journey.url, token, ...look })
      const page = await context.newPage()
      page.on('pageerror', (error) => errors.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error' && /Content Security Policy|Uncaught|React/.test(message.text()))
          errors.push(message.text())
      })
      await page.goto(path)
      return page
    },
    async fresh() {
      await Promise.all(browser.contexts().map((context) => context.close()))
      model.forget()
      errors.splice(0)
    },
    async signUp(wanted, language = 'en') {
      const username = nextName(names, wanted)
      const body = {
        username,
        email: `${username}@example.com`,
        full_name: 'Ada Byron',
        password: PASSWORD,
        language,
      }
      await post(`${journey.url}/api/v1/users`, JSON.stringify(body), 'application/json')
      const form = new URLSearchParams({ username, password: PASSWORD }).toString()
      const { access_token } = await post(
        `${journey.url}/api/v1/token`,
        form,
        'application/x-www-form-urlencoded',
      )
      const token = access_token as string
      const account = accountAt(journey.url, token, username)
      await account.call('PUT', '/users/me/preferences', { preferences: settledIn })
      return token
    },
    async close() {
      await browser.close()
      await journey.product.stop()
      await database.drop()
      await model.close()
    },
  }
  return journey
}

function nextName(taken: Set<string>, wanted: string): string {
  let name = wanted
  for (let n = 2; taken.has(name); n++) name = `${wanted}${n}`
  taken.add(name)
  return name
}

type Found = { env: Record<string, string>; drop: () => Promise<void> }

/** Returns a copy in the tests' cluster if there is one, because creating a database takes seconds. */
async function findDatabase({ env, dataDir, ownDatabase }: Options): Promise<Found> {
  const isElsewhere = dataDir !== undefined || env?.DATABASE_URL !== undefined
  // Outside Vitest there is no cluster.
  if (isElsewhere || ownDatabase || !process.env.VITEST) return { env: {}, drop: async () => undefined }
  const { cloneDatabase } = await import('./database.ts')
  const { address, drop } = await cloneDatabase()
  return { env: { DATABASE_URL: databaseUrl(address) }, drop }
}

async function post(url: string, body: string, type: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': type } })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Record<string, unknown>
}

/** Returns a text of the interface. */
export function words(
  language: Language,
  namespace: string,
  key: string,
  values: Record<string, string> = {},
): string {
  const root = new URL('../../', import.meta.url)
  const found = key
    .split('.')
    .reduce<unknown>(
      (node, part) => (node as Record<string, unknown>)[part],
      readTexts(root, language, namespace),
    )
  if (typeof found !== 'string') throw new Error(`${namespace}:${key} is not a text`)
  return found.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
}
