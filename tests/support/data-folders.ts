import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach } from 'vitest'
import { type Postgres, startPostgres } from '../../src/server/platform/db/postgres/postgres.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { startDatabaseProcess } from './database-process.ts'

const log = createLog('silent')

/** Manages the data folders of one test file, below a folder that others may traverse. Processes in them end with their test. */
export function makeDataFolders() {
  const base = mkdtempSync('/tmp/atrium-supervisor-')
  chmodSync(base, 0o711)
  const cleanups: (() => unknown)[] = []
  afterEach(async () => {
    for (const clean of cleanups.splice(0).reverse()) await clean()
  })
  afterAll(() => rmSync(base, { recursive: true, force: true }))
  let count = 0
  let stopped: Promise<string> | null = null

  const aFolder = ({ parentMode = 0o711, owner }: { parentMode?: number; owner?: number } = {}): string => {
    count += 1
    const parent = join(base, `place${count}`)
    const folder = join(parent, 'data')
    mkdirSync(folder, { recursive: true, mode: 0o711 })
    if (owner !== undefined) for (const path of [parent, folder]) chownSync(path, owner, owner)
    chmodSync(parent, parentMode)
    return folder
  }
  return {
    base,
    aFolder,
    /** Registers a cleanup for the end of the test. */
    afterwards: (clean: () => unknown) => void cleanups.push(clean),
    /** Starts a supervisor in a separate process. */
    start: async (options: Parameters<typeof startDatabaseProcess>[0]) => {
      const server = await startDatabaseProcess(options)
      cleanups.push(() => server.kill())
      return server
    },
    /** Starts a supervisor in this process. */
    startHere: async (dataDir: string): Promise<Postgres> => {
      const server = await startPostgres({ dataDir, log, isDurable: false })
      cleanups.push(() => server.stop())
      return server
    },
    /** Returns the folder of a stopped database. There is one per file, because creating one takes a second. */
    aStoppedDatabase: (): Promise<string> => {
      stopped ??= (async () => {
        const dataDir = aFolder()
        await (await startPostgres({ dataDir, log })).stop()
        return dataDir
      })()
      return stopped
    },
  }
}

/** Waits at most `ms` until a condition is true. Returns how long it took. */
export async function until(isTrue: () => boolean, ms: number): Promise<number> {
  const started = Date.now()
  while (!isTrue() && Date.now() - started < ms) await sleep(10)
  return Date.now() - started
}

/** Inserts a row that the next start must find. */
export const remember =
  'create table if not exists kept (n int primary key); insert into kept values (1) on conflict do nothing'
