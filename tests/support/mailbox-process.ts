import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestAddress } from './database.ts'

/** Another process of an installation, which reads its mailbox and answers mails. `kill` waits for its exit. */
export async function startMailboxProcess(
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
const config = JSON.parse(process.env.CONFIG)
const app = await startApp({ address: JSON.parse(process.env.ADDRESS), config, jobs: false })
const { answerMails } = await import(process.env.ROOT + 'src/server/api/assistant-mails/send-answers.ts')
app.deps.mailbox.start()
process.send('ready')
for (;;) {
  if (config.SMTP_URL) await answerMails(app.deps, new AbortController().signal)
  await new Promise((resolve) => setTimeout(resolve, 20))
}`
