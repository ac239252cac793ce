import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestAddress } from './database.ts'

/** A whole process of an installation, with its routes, runs and jobs. `kill` waits for its exit. */
export async function startChannelProcess(
  address: TestAddress,
  config: Record<string, string>,
): Promise<{ url: string; kill: () => Promise<void> }> {
  const root = new URL('../../', import.meta.url).href
  const env = { ...process.env, ROOT: root, ADDRESS: JSON.stringify(address), CONFIG: JSON.stringify(config) }
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    ...{ env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  })
  const [url] = (await once(child, 'message')) as [string]
  const ended = once(child, 'exit')
  return {
    url,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const script = `
const { startApp } = await import(process.env.ROOT + 'tests/support/app.ts')
const app = await startApp({ address: JSON.parse(process.env.ADDRESS), config: JSON.parse(process.env.CONFIG) })
process.send(await app.listen())`
