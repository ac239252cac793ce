import { encodingOf } from '../text/decode-text.ts'

/** Bytes of names that are looked at. */
const MAX_BYTES = 64 * 1024
const MIN_IN_866 = 0.95

/**
 * The encoding of names that an archive does not call Unicode; null for that of the format, IBM 437. Programs write UTF-8 without saying
 * so, and Windows that of its language.
 */
export function nameEncoding(names: readonly Uint8Array[]): string | null {
  const foreign = names.filter((name) => name.some((byte) => byte > 127))
  const bytes = Buffer.concat(foreign.flatMap((name) => [name, Buffer.from('\n')])).subarray(0, MAX_BYTES)
  if (bytes.length === 0) return null
  if (isCyrillicOfDos(bytes)) return 'ibm866'
  const { encoding, isGuessed } = encodingOf(bytes)
  if (!isGuessed) return encoding === 'utf-8' ? encoding : null
  return /^(windows-1252|windows-1254|ibm850|iso-8859-2|windows-1250)$/.test(encoding) ? null : encoding
}

/** Its letters stand where IBM 437 has accents, but there they are alone, and here three follow each other. */
function isCyrillicOfDos(bytes: Uint8Array): boolean {
  let [beyond, letters, row, longest] = [0, 0, 0, 0]
  for (const byte of bytes) {
    row = byte > 127 ? row + 1 : 0
    longest = Math.max(longest, row)
    if (byte < 128) continue
    beyond += 1
    if (byte <= 0xaf || (byte >= 0xe0 && byte <= 0xf1)) letters += 1
  }
  return longest >= 3 && letters >= MIN_IN_866 * beyond
}
