import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestAddress } from './database.ts'

/** Another process of an installation, which works on one sync all the time. `kill` waits for its exit. */
export type SyncingProcess = { kill: () => Promise<void> }

export async function startSyncingProcess(
  address: TestAddress,
  connectorId: string,
  config: Record<string, string>,
): Promise<SyncingProcess> {
  const root = new URL('../../', import.meta.url).href
  const env = { ADDRESS: JSON.stringify(address), CONFIG: JSON.stringify(config), CONNECTOR: connectorId }
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', script], {
    ...{ env: { ...process.env, ...env, ROOT: root }, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
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

const script = `
const { startApp } = await import(process.env.ROOT + 'tests/support/app.ts')
const { runSync } = await import(process.env.ROOT + 'src/server/knowledge/connectors/engine/run-sync.ts')
const config = JSON.parse(process.env.CONFIG)
const app = await startApp({ address: JSON.parse(process.env.ADDRESS), config, jobs: false })
process.send('ready')
for (;;) {
  const next = await runSync(app.deps, process.env.CONNECTOR, new AbortController().signal)
  const wait = next === null ? 100 : next.getTime() - Date.now()
  await new Promise((resolve) => setTimeout(resolve, Math.max(wait, 0)))
}`
