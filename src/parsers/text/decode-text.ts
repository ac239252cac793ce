import type { Job } from '../elements/port.ts'
import { decodeBytes } from './decode-bytes.ts'
import { guessEncoding } from './guess-encoding.ts'

export type Encoding = { encoding: string; isGuessed: boolean }

/**
 * Decodes bytes in the chosen encoding, otherwise by their byte order mark, as UTF-8, as UTF-16 or UTF-32 by the position
 * of zeros, or by the statistics of their letters. The head of a file may end within a character.
 */
export function decodeText(bytes: Uint8Array, chosen?: string): Encoding & { text: string } {
  const { encoding, isGuessed } = encodingOf(bytes, chosen)
  return { text: tidy(decodeBytes(bytes, encoding)), encoding, isGuessed }
}

/** Returns the encoding of bytes by its name in `TextDecoder`, `utf-32le` or `utf-32be`; `chosen` wins. */
export function encodingOf(bytes: Uint8Array, chosen?: string): Encoding {
  if (chosen) return { encoding: chosen, isGuessed: false }
  const encoding = markedEncoding(bytes) ?? zeroEncoding(bytes)
  if (encoding) return { encoding, isGuessed: false }
  if (isUtf8(bytes)) return isJis(bytes) ? jis : utf8
  return { encoding: guessEncoding(bytes), isGuessed: true }
}

const utf8: Encoding = { encoding: 'utf-8', isGuessed: false }
const jis: Encoding = { encoding: 'iso-2022-jp', isGuessed: true }

/** Returns true if bytes have the escape sequences that switch to Japanese and back: a text of seven bits. */
function isJis(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return ['\x1b$B', '\x1b$@'].some((sequence) => text.includes(sequence))
}

/** Shorter bytes are a whole file, which does not end within a character. */
const HEAD_BYTES = 4096

/** Returns true if bytes are UTF-8. In a short file, a cut last character counts only after a whole one beyond ASCII. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return bytes.length >= HEAD_BYTES || text.length === bytes.length || /[^\0-\x7f]/.test(text)
  } catch {
    return false
  }
}

function markedEncoding([first, second, third, fourth]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? 'utf-32le' : 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0 && second === 0 && third === 0xfe && fourth === 0xff ? 'utf-32be' : null
}

/** European text has zeros in the upper bytes of each character. */
function zeroEncoding(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, 4096 - (4096 % 4))
  const zeros = [0, 0, 0, 0]
  sample.forEach((byte, at) => {
    if (byte === 0) zeros[at % 4] = (zeros[at % 4] ?? 0) + 1
  })
  const share = zeros.map((count) => count / (sample.length / 4))
  const pattern = share.map((one) => (one > 0.4 ? '0' : one < 0.04 ? 'x' : '?')).join('')
  return { x000: 'utf-32le', '000x': 'utf-32be', x0x0: 'utf-16le', '0x0x': 'utf-16be' }[pattern] ?? null
}

const tidy = (text: string) => text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replaceAll('\0', '')

/** Says that the encoding of a file was guessed, or that a person chose it. */
export function warnOfEncoding(job: Pick<Job, 'warn' | 'encoding'>, { encoding, isGuessed }: Encoding): void {
  if (job.encoding) job.warn({ code: 'encoding_chosen', values: { encoding } })
  else if (isGuessed) job.warn({ code: 'encoding_guessed', values: { encoding } })
}
