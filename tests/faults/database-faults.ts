import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../src/server/platform/db/db.ts'
import { createLog } from '../../src/server/platform/log.ts'
import type { TestAddress } from '../support/database.ts'
import { descendants } from '../support/processes.ts'

/** A database server: its address and the process id of its postmaster. */
export type Target = { address: () => TestAddress; postmaster: () => number }

/** Database faults. The database recovers by itself, or its supervisor restarts it. */
export const faults: Record<string, (target: Target, random: () => number) => Promise<void>> = {
  'killed whole': async ({ postmaster }) => {
    process.kill(postmaster(), 'SIGKILL')
  },
  'one of its processes killed': async ({ postmaster }, random) => {
    const [, ...children] = descendants(postmaster())
    const chosen = children[Math.floor(random() * children.length)]
    if (chosen) process.kill(chosen, 'SIGKILL')
  },
  'asleep for some seconds': async ({ postmaster }, random) => {
    const family = descendants(postmaster())
    for (const pid of family) signal(pid, 'SIGSTOP')
    await sleep(1_000 + random() * 5_000)
    for (const pid of family) signal(pid, 'SIGCONT')
  },
  'without its connections': async ({ address }) => {
    await ask(
      address(),
      `select pg_terminate_backend(pid) from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
  },
  'shut down at once': async ({ postmaster }) => {
    process.kill(postmaster(), 'SIGQUIT')
  },
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It exited in the meantime.
  }
}

/** Queries a database that may be starting. */
export async function ask<Row extends object>(
  address: TestAddress,
  sql: string,
  ...values: unknown[]
): Promise<Row[]> {
  for (let tries = 1; ; tries += 1) {
    const { pool, close } = connect(address, createLog('silent'), { max: 1 })
    try {
      return (await pool.query<Row>(sql, values)).rows
    } catch (error) {
      if (tries > 200) throw error
      await sleep(50)
    } finally {
      await close().catch(() => undefined)
    }
  }
}
