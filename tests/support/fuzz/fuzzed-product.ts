import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Connection, connect } from '../../../src/server/platform/db/db.ts'
import { createLog } from '../../../src/server/platform/log.ts'
import { cloneDatabase } from '../database.ts'
import { databaseUrl } from '../database-url.ts'
import { type ModelServer, startModelServer } from '../model-server.ts'
import { type Product, startProduct } from '../product.ts'

/** Measurements of a server since the last reset. */
export type Measured = { stalledMs: number; grewBytes: number; rss: number }

export type FuzzedProduct = {
  product: Product
  model: ModelServer
  /** The server's own database. */
  db: Connection['db']
  /** Restarts the memory measurement after a garbage collection, so that later garbage counts as growth. */
  collect: () => Promise<Measured>
  reset: () => Promise<Measured>
  /** Waits until background work after an answer, such as a run, has ended. */
  read: () => Promise<Measured>
  /** Returns whether it has been running without a crash. */
  isSameProcess: () => boolean
  close: () => Promise<void>
}

/** Starts the real server in a separate, instrumented process, with a scripted model and no other network. */
export async function startFuzzedProduct(env: Record<string, string> = {}): Promise<FuzzedProduct> {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-fuzz-'))
  const socket = join(folder, 'probe')
  const model = await startModelServer({ windows: { scripted: 4_000_000 } })
  const { address, drop } = await cloneDatabase()
  const product = await startProduct({
    entry: 'src/server/main.ts',
    dataDir: join(folder, 'data'),
    env: {
      DATABASE_URL: databaseUrl(address),
      ATRIUM_COMPATIBLE_URL: model.url,
      OPEN_METEO_URL: 'http://127.0.0.1:9',
      PROBE_SOCKET: socket,
      NODE_OPTIONS: `--import=${new URL('loop-probe.ts', import.meta.url).href}`,
      ATRIUM_LOG_LEVEL: 'error',
      // Addresses used in requests; others are refused before a route's own code runs.
      ATRIUM_TOOLS_PRIVATE:
        'http://127.0.0.1:9,http://localhost:9,https://[::1]:9,https://example.com,https://erp.example,https://api.invalid',
      ATRIUM_LIMIT_SHARE_PERCENT: '100',
      ATRIUM_LIMIT_REQUESTS_A_MINUTE: '10000000',
      ...env,
    },
  })
  const { db, close } = connect(address, createLog('error'))
  return {
    ...{ product, model, db },
    collect: () => ask(socket, '/collect'),
    reset: () => ask(socket, '/reset'),
    read: () => ask(socket, '/read'),
    isSameProcess: () => product.process.exitCode === null && product.process.signalCode === null,
    close: async () => {
      await product.kill()
      await close()
      await model.close()
      await drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function ask(socketPath: string, path: string): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const asking = request({ socketPath, path }, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve(JSON.parse(text) as Measured)
    })
    asking.on('error', reject).end()
  })
}
