/** A piece of RTF: a brace, a control word with its number, a control symbol, or text as bytes. */
export type Token =
  | { kind: 'open' }
  | { kind: 'close' }
  | { kind: 'word'; name: string; value: number | null }
  | { kind: 'byte'; value: number }
  | { kind: 'text'; value: string }

const pattern = /[{}]|\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|[^{}\\]+/gy

/** Splits RTF, which is written in ASCII characters. Binary data (`\bin`) is skipped. */
export function* readTokens(source: string): Generator<Token> {
  pattern.lastIndex = 0
  for (let found = pattern.exec(source); found; found = pattern.exec(source)) {
    const [whole, name, number, byte, sign] = found
    if (whole === '{') yield { kind: 'open' }
    else if (whole === '}') yield { kind: 'close' }
    else if (name !== undefined) {
      const value = number === undefined ? null : Number(number)
      if (name === 'bin' && value !== null && value > 0) pattern.lastIndex += value
      else yield { kind: 'word', name, value }
    } else if (byte !== undefined) yield { kind: 'byte', value: Number.parseInt(byte, 16) }
    else if (sign !== undefined) yield { kind: 'word', name: sign, value: null }
    else yield { kind: 'text', value: whole.replace(/[\r\n]+/g, '') }
  }
}
