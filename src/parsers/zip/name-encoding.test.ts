import { describe, expect, it } from 'vitest'
import { nameEncoding } from './name-encoding.ts'

/** Bytes as `TextDecoder` reads them in a single-byte encoding. */
function encoded(text: string, encoding: string): Uint8Array {
  const table = new Map(
    Array.from({ length: 256 }, (_, byte) => [
      new TextDecoder(encoding).decode(new Uint8Array([byte])),
      byte,
    ]),
  )
  return Uint8Array.from([...text].map((sign) => table.get(sign) ?? 63))
}

describe('nameEncoding', () => {
  it.each([
    ['UTF-8', new TextEncoder().encode('Überblick.txt'), 'utf-8'],
    ['Cyrillic of DOS', encoded('Договор аренды.txt', 'ibm866'), 'ibm866'],
    ['Cyrillic of Windows', encoded('Договор аренды квартиры.txt', 'windows-1251'), 'windows-1251'],
    [
      'Japanese',
      Uint8Array.from([0x82, 0xa0, 0x82, 0xa2, 0x82, 0xa4, 0x90, 0xbf, 0x8b, 0x81, 0x8f, 0x91]),
      'shift_jis',
    ],
    ['plain letters', new TextEncoder().encode('report.txt'), null],
    ['accents of IBM 437', Uint8Array.from([0x72, 0x82, 0x73, 0x75, 0x6d, 0x82]), null],
  ])('of %s', (_, name, encoding) => expect(nameEncoding([name])).toBe(encoding))
})
