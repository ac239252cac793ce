import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestAddress } from './database.ts'

/** Another process of an installation, which works on schedules all the time. `kill` waits for its exit. */
export type SchedulingProcess = { kill: () => Promise<void> }

/** `reminders` plans slots and sends reminders only, and starts in a fraction of the time. */
type Work = { kind: 'everything'; config: Record<string, string> } | { kind: 'reminders' }

export async function startSchedulingProcess(address: TestAddress, work: Work): Promise<SchedulingProcess> {
  const root = new URL('../../', import.meta.url).href
  const config = work.kind === 'everything' ? work.config : {}
  const env = { ...process.env, ROOT: root, ADDRESS: JSON.stringify(address), CONFIG: JSON.stringify(config) }
  const script = `${work.kind === 'everything' ? everything : reminders}\n${loop}`
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', script], {
    ...{ env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  })
  await once(child, 'message')
  const ended = once(child, 'exit')
  return {
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const everything = `
const { startApp } = await import(process.env.ROOT + 'tests/support/app.ts')
const { runSchedules } = await import(process.env.ROOT + 'src/server/chat/schedules/schedules.ts')
const config = JSON.parse(process.env.CONFIG)
const app = await startApp({ address: JSON.parse(process.env.ADDRESS), config, jobs: false })
const work = () => runSchedules(app.deps, new AbortController().signal)`

const reminders = `
const server = process.env.ROOT + 'src/server/'
const { connect } = await import(server + 'platform/db/db.ts')
const { createLog } = await import(server + 'platform/log.ts')
const { planAndRemind } = await import(server + 'chat/schedules/running/plan-and-remind.ts')
const { db } = connect(JSON.parse(process.env.ADDRESS), createLog('silent'))
const work = () => planAndRemind(db, new AbortController().signal)`

const loop = `
process.send('ready')
for (;;) {
  await work()
  await new Promise((resolve) => setTimeout(resolve, 10))
}`
