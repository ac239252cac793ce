import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestAddress } from './database.ts'

/** Another process of an installation, which sends due notifications all the time. `kill` waits for its exit. */
export async function startSendingProcess(
  address: TestAddress,
  config: Record<string, string>,
): Promise<{ kill: () => Promise<void> }> {
  const root = new URL('../../', import.meta.url).href
  const env = { ...process.env, ROOT: root, ADDRESS: JSON.stringify(address), CONFIG: JSON.stringify(config) }
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
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

const script = `
const { startApp } = await import(process.env.ROOT + 'tests/support/app.ts')
const { sendNotifications } = await import(process.env.ROOT + 'src/server/lifecycle/notifications/sending/send-notifications.ts')
const { sendPushes } = await import(process.env.ROOT + 'src/server/lifecycle/notifications/push/send-pushes.ts')
const config = JSON.parse(process.env.CONFIG)
const app = await startApp({ address: JSON.parse(process.env.ADDRESS), config, jobs: false })
process.send('ready')
for (;;) {
  await sendNotifications(app.deps, new AbortController().signal)
  await sendPushes(app.deps, new AbortController().signal)
  await new Promise((resolve) => setTimeout(resolve, 20))
}`
