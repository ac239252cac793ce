import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createApp } from '../../src/server/app.ts'
import { compose } from '../../src/server/compose.ts'
import type { AllDeps, Feature } from '../../src/server/feature.ts'
import { createModels, type Models } from '../../src/server/models/models/models.ts'
import type { Patience } from '../../src/server/models/models/wire/patience.ts'
import { openPlatform } from '../../src/server/open-platform.ts'
import { parseConfig } from '../../src/server/platform/config/config.ts'
import { createLog, type Log } from '../../src/server/platform/log.ts'
import type { Clock } from '../../src/server/platform/platform.ts'
import { cloneDatabase, type TestAddress } from './database.ts'

export type TestApp = {
  /** Use `http.inject({ method, url: '/api/v1/…', headers, payload })`. */
  http: FastifyInstance
  deps: AllDeps
  dataDir: string
  address: TestAddress
  /** Listens on a free local port. */
  listen: () => Promise<string>
  close: () => Promise<void>
}

type Options = {
  /** Settings as environment variables, such as `{ ATRIUM_BILLING: 'on' }`. */
  config?: Record<string, string>
  models?: Models
  /** Timeout for a silent model. */
  patience?: Patience
  clock?: Clock
  /** Features to use instead of the product's. */
  features?: Feature[]
  /** Database of another app, to start a second process of the same installation. */
  address?: TestAddress
  /** If false, jobs wait until the test starts them. */
  jobs?: boolean
  log?: Log
}

/** Keys by database. All processes of an installation share one. */
const keys = new Map<string, string>()

/** Starts the real application with its own database and data folder. */
export async function startApp(options: Options = {}): Promise<TestApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-app-'))
  const { address, drop } = options.address
    ? { address: options.address, drop: async () => undefined }
    : await cloneDatabase()
  // A test sends more requests per second than a user per hour.
  const unhurried = { ATRIUM_LIMIT_SHARE_PERCENT: '100', ATRIUM_LIMIT_REQUESTS_A_MINUTE: '10000000' }
  // Tests ignore model servers on the developer's machine. A model that names chats would consume the answers scripted
  // for replies.
  const apart = { ATRIUM_LOCAL_MODEL_PORTS: 'off', ATRIUM_TITLES: 'message' }
  // People who sign up in a test are strangers to each other.
  const strangers = { ATRIUM_SIGN_UP_COMPANY: 'own' }
  // Tests never query the machine's DNS; nothing answers at this port.
  const alone = { ATRIUM_DNS_SERVERS: '127.0.0.1:9' }
  // Trying the sandboxes takes seconds of CPU time, so only tests that need one wait for it.
  const spared = { ATRIUM_LIMIT_CODE_TRIAL_SECONDS: '86400' }
  // All tests share one embedding model.
  const shared = { ATRIUM_MODELS_DIR: join(import.meta.dirname, '../../node_modules/.cache/models') }
  const config = parseConfig({
    ATRIUM_DATA_DIR: dataDir,
    ...unhurried,
    ...apart,
    ...strangers,
    ...alone,
    ...spared,
    ...shared,
    ...options.config,
  })
  const level = options.config?.ATRIUM_LOG_LEVEL ?? process.env.ATRIUM_LOG_LEVEL ?? 'silent'
  const log = options.log ?? createLog(level)
  const { models, patience, clock, features } = options
  const keyFile = join(config.dataDir, 'secret.key')
  const known = keys.get(address.database)
  if (known !== undefined && !existsSync(keyFile)) writeFileSync(keyFile, known, { mode: 0o600 })
  const platform = await openPlatform({
    config,
    address,
    log,
    clock,
    models: models ? () => models : (source) => createModels(source, patience),
  })
  if (existsSync(keyFile)) keys.set(address.database, readFileSync(keyFile, 'utf8'))
  const deps = compose(platform.deps)
  const http = createApp(deps, { features })
  await http.ready()
  if (options.jobs !== false && config.works) {
    await deps.jobs.start()
    deps.mailbox.start()
  }
  platform.setAddress('http://atrium.test')
  return {
    http,
    deps,
    dataDir,
    address,
    listen: async () => {
      const url = await http.listen({ host: '127.0.0.1', port: 0 })
      platform.setAddress(url)
      return url
    },
    close: async () => {
      await http.close()
      await platform.close()
      await drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
