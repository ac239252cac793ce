import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect, migrate, startPostgres } from '../../src/server/db/db.ts'
import { ensureQueue } from '../../src/server/jobs/queue.ts'
import { createLog } from '../../src/server/log.ts'

export type TestCluster = { host: string; port: number; user: string }

declare module 'vitest' {
  export interface ProvidedContext {
    cluster: TestCluster
  }
}

/** One database server for all test files, with a migrated database that each of them copies. */
export default async function startCluster({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join('/tmp', 'atrium-tests-'))
  const log = createLog(process.env.ATRIUM_LOG_LEVEL ?? 'error')
  const settings = { max_connections: '300', shared_buffers: '64MB' }
  const postgres = await startPostgres({ dataDir: folder, log, isDurable: false, settings })
  await makeTemplate(postgres.address, log)
  const { host, port, user } = postgres.address
  provide('cluster', { host, port, user })
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function makeTemplate(address: TestCluster & { database: string }, log: ReturnType<typeof createLog>) {
  const admin = connect(address, log)
  await admin.pool.query('create database atrium_template')
  await admin.close()
  const template = connect({ ...address, database: 'atrium_template' }, log)
  await migrate(template.pool)
  await ensureQueue(template.pool)
  // A copy is refused while anybody is connected to the original.
  await template.close()
}
