import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect, migrate, startPostgres } from '../../src/server/platform/db/db.ts'
import { ensureQueue } from '../../src/server/platform/jobs/queue.ts'
import { createLog } from '../../src/server/platform/log.ts'

export type TestCluster = { host: string; port: number; user: string }

declare module 'vitest' {
  export interface ProvidedContext {
    cluster: TestCluster
  }
}

type Shared = { users: number; started: Promise<{ address: TestCluster; stop: () => Promise<void> }> }

/** Shared by all projects, which have separate modules in one process. */
const place = globalThis as { atriumTestCluster?: Shared }

/** Starts one database server for all projects of a run, with a migrated template that test files copy. */
export default async function shareCluster({ provide }: TestProject): Promise<() => Promise<void>> {
  place.atriumTestCluster ??= { users: 0, started: startCluster() }
  const shared = place.atriumTestCluster
  shared.users += 1
  const { address, stop } = await shared.started
  provide('cluster', address)
  return async () => {
    shared.users -= 1
    if (shared.users === 0) await stop()
  }
}

async function startCluster() {
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'))
  const log = createLog(process.env.ATRIUM_LOG_LEVEL ?? 'error')
  const settings = { max_connections: '300', shared_buffers: '64MB', max_wal_size: '256MB' }
  const postgres = await startPostgres({ dataDir: folder, log, isDurable: false, settings })
  await makeTemplate(postgres.address, log)
  const { host, port, user } = postgres.address
  const stop = async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { address: { host, port, user }, stop }
}

async function makeTemplate(address: TestCluster & { database: string }, log: ReturnType<typeof createLog>) {
  const admin = connect(address, log)
  await admin.pool.query('create database atrium_template')
  await admin.close()
  const template = connect({ ...address, database: 'atrium_template' }, log)
  await migrate(template.pool)
  await ensureQueue(template.pool)
  // PostgreSQL refuses to copy a database that has connections.
  await template.close()
}
