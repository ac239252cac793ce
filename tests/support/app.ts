import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createApp } from '../../src/server/app.ts'
import { compose } from '../../src/server/compose.ts'
import { parseConfig } from '../../src/server/config.ts'
import type { Deps, Feature } from '../../src/server/deps.ts'
import { createLog, type Log } from '../../src/server/log.ts'
import { createModels, type Models } from '../../src/server/models/models.ts'
import type { Patience } from '../../src/server/models/wire/patience.ts'
import { openPlatform } from '../../src/server/open-platform.ts'
import type { Clock } from '../../src/server/platform.ts'
import { cloneDatabase, type TestAddress } from './database.ts'

export type TestApp = {
  /** Use `http.inject({ method, url: '/api/v1/…', headers, payload })`. */
  http: FastifyInstance
  deps: Deps
  dataDir: string
  address: TestAddress
  /** Listens on a free port of this machine. */
  listen: () => Promise<string>
  close: () => Promise<void>
}

type Options = {
  /** Settings as they stand in the environment, e.g. `{ ATRIUM_BILLING: 'on' }`. */
  config?: Record<string, string>
  models?: Models
  /** How long a model may be silent. */
  patience?: Patience
  clock?: Clock
  /** Other features than the product's. */
  features?: Feature[]
  /** The database of another app, to be a second process of the same installation. */
  address?: TestAddress
  /** False: jobs wait until the test starts them. */
  jobs?: boolean
  log?: Log
}

/** The real application on a database and a data folder of its own. */
export async function startApp(options: Options = {}): Promise<TestApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-app-'))
  const { address, drop } = options.address
    ? { address: options.address, drop: async () => undefined }
    : await cloneDatabase()
  // A test asks for more in a second than people do in an hour.
  const unhurried = { ATRIUM_LIMIT_SHARE_PERCENT: '100', ATRIUM_LIMIT_REQUESTS_A_MINUTE: '10000000' }
  // What listens on the machine of a developer is none of a test's business, and a model that names chats would take
  // the answers a test has for its replies.
  const apart = { ATRIUM_LOCAL_MODEL_PORTS: 'off', ATRIUM_TITLES: 'message' }
  // No test asks the DNS of this machine; nobody answers at this port.
  const alone = { ATRIUM_DNS_SERVERS: '127.0.0.1:9' }
  // To try the boxes of programs takes seconds of a core: a test that needs one waits for it.
  const spared = { ATRIUM_LIMIT_CODE_TRIAL_SECONDS: '86400' }
  // The embedding is made once for all tests.
  const shared = { ATRIUM_MODELS_DIR: join(import.meta.dirname, '../../node_modules/.cache/models') }
  const config = parseConfig({
    ATRIUM_DATA_DIR: dataDir,
    ...unhurried,
    ...apart,
    ...alone,
    ...spared,
    ...shared,
    ...options.config,
  })
  const level = options.config?.ATRIUM_LOG_LEVEL ?? process.env.ATRIUM_LOG_LEVEL ?? 'silent'
  const log = options.log ?? createLog(level)
  const { models, patience, clock, features } = options
  const platform = await openPlatform({
    config,
    address,
    log,
    clock,
    models: models ? () => models : (source) => createModels(source, patience),
  })
  const deps = compose(platform.deps)
  const http = createApp(deps, { features })
  await http.ready()
  if (options.jobs !== false && config.works) await deps.jobs.start()
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
