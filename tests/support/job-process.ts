import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestAddress } from './database.ts'

/** Another process of an installation, whose job `child.job` never ends. `kill` waits for its exit. */
export type JobProcess = { began: Promise<void>; kill: () => Promise<void> }

export async function startJobProcess(address: TestAddress): Promise<JobProcess> {
  const server = new URL('../../src/server/', import.meta.url).href
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, ROOT: server, ADDRESS: JSON.stringify(address) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const says = (what: string) =>
    new Promise<void>((resolve) => child.on('message', (message) => message === what && resolve()))
  const began = says('began')
  await says('ready')
  const ended = once(child, 'exit')
  return {
    began,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const script = `
const { connect } = await import(process.env.ROOT + 'platform/db/db.ts')
const { createLog } = await import(process.env.ROOT + 'platform/log.ts')
const { startInstance } = await import(process.env.ROOT + 'platform/instances.ts')
const { createJobs } = await import(process.env.ROOT + 'platform/jobs/jobs.ts')
const log = createLog('silent')
const connection = connect(JSON.parse(process.env.ADDRESS), log)
const instance = await startInstance({ ...connection, log, works: true })
const jobs = createJobs({ pool: connection.pool, instance, log })
jobs.register('child.job', async () => {
  process.send('began')
  await new Promise(() => undefined)
})
await jobs.start()
process.send('ready')`
