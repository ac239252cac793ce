import { spawn } from 'node:child_process'
import { AppError } from '#shared/platform/errors.ts'
import { MOST_MODULE_BYTES } from '#shared/tools/tool-interfaces/tool-interfaces.ts'

const PARSE_MS = 10_000
/** Characters of what the parser said. */
const SAID_MOST = 20_000

/**
 * A module as it was uploaded, from base64. @throws AppError `too_large`, or `invalid` for what is empty or no JavaScript, with the line
 * where that shows as what is wrong with `ui.file`
 */
export async function readUpload(content: string): Promise<Uint8Array> {
  const bytes = Buffer.from(content, 'base64')
  if (bytes.byteLength === 0) throw new AppError('invalid', 'The file is empty.')
  if (bytes.byteLength > MOST_MODULE_BYTES) throw new AppError('too_large', 'The file is larger than 2 MB.')
  const wrong = isText(bytes) ? await parse(bytes) : ''
  if (wrong === null) return bytes
  throw new AppError('invalid', 'This file is no JavaScript module.', {
    errors: [{ path: 'ui.file', message: wrong }],
  })
}

/** A browser reads a module as UTF-8, whatever it is; what is no text would run as something else than was written. */
function isText(bytes: Buffer): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0')
  } catch {
    return false
  }
}

/**
 * Where a text ceases to be a module, such as `3: Unexpected token '<'`; null where it never does. It is parsed by a process of its own,
 * which runs nothing of it: what takes all time or memory takes nothing here.
 */
function parse(code: Buffer): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const options = ['--permission', '--max-old-space-size=256', '--check', '--input-type=module', '-']
    const parser = spawn(process.execPath, options, {
      ...{ env: {}, timeout: PARSE_MS, killSignal: 'SIGKILL', windowsHide: true },
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let said = ''
    parser.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-SAID_MOST)
    })
    parser.once('error', reject)
    parser.once('close', (status) => resolve(status === 0 ? null : readWrong(said)))
    // One that has ended reads no more: how it ended says why.
    parser.stdin.on('error', () => undefined)
    parser.stdin.end(code)
  })
}

function readWrong(said: string): string {
  const line = /\[stdin\]:(\d+)/.exec(said)?.[1]
  const why = /^SyntaxError: (.{1,200})/m.exec(said)?.[1]
  return line && why ? `${line}: ${why}` : ''
}
