import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The longest socket path that every platform accepts. */
const MAX_PATH = 100

/** Returns the socket path of a model: in the data folder, or in the temporary folder if that path would be too long. */
export function socketPath(dataDir: string, model: string): string {
  const sum = createHash('sha256').update(`${dataDir} ${model}`).digest('hex').slice(0, 24)
  if (process.platform === 'win32') return `\\\\.\\pipe\\atrium-${sum}`
  const own = join(dataDir, 'engine')
  const folder =
    own.length + 30 <= MAX_PATH ? own : join(tmpdir(), `atrium-engine-${process.getuid?.() ?? 0}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return join(folder, `${sum}.sock`)
}
