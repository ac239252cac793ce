import { spawn } from 'node:child_process'
import { AppError } from '#shared/platform/errors.ts'
import { MAX_MODULE_BYTES } from '#shared/tools/tool-interfaces/tool-interfaces.ts'

const PARSE_MS = 10_000
/** Maximum characters of the parser's output. */
const MAX_PARSER_OUTPUT = 20_000

/**
 * Decodes an uploaded module from base64. @throws AppError `too_large`, or `invalid` if it is empty or not JavaScript, with
 * the line of the error as an issue of `ui.file`
 */
export async function readUpload(content: string): Promise<Uint8Array> {
  const bytes = Buffer.from(content, 'base64')
  if (bytes.byteLength === 0) throw new AppError('invalid', 'The file is empty.')
  if (bytes.byteLength > MAX_MODULE_BYTES) throw new AppError('too_large', 'The file is larger than 2 MB.')
  const wrong = isText(bytes) ? await parse(bytes) : ''
  if (wrong === null) return bytes
  throw new AppError('invalid', 'This file is not a JavaScript module.', {
    errors: [{ path: 'ui.file', message: wrong }],
  })
}

/** Browsers decode modules as UTF-8, so bytes that are not valid UTF-8 would run as different code. */
function isText(bytes: Buffer): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0')
  } catch {
    return false
  }
}

/**
 * Returns where a text stops being a valid module, such as `3: Unexpected token '<'`; null if it is valid. It is parsed in
 * a child process without being run, so excessive time or memory affects nothing here.
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
      said = (said + text).slice(-MAX_PARSER_OUTPUT)
    })
    parser.once('error', reject)
    parser.once('close', (status) => resolve(status === 0 ? null : readWrong(said)))
    // A parser that has exited reads no more input; its exit says why.
    parser.stdin.on('error', () => undefined)
    parser.stdin.end(code)
  })
}

function readWrong(said: string): string {
  const line = /\[stdin\]:(\d+)/.exec(said)?.[1]
  const why = /^SyntaxError: (.{1,200})/m.exec(said)?.[1]
  return line && why ? `${line}: ${why}` : ''
}
