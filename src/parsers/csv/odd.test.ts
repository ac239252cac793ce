import { afterAll, describe, expect, it } from 'vitest'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'

afterAll(forgetParsed)

const table = 'name;city\nÉlodie;Zürich\nJosé;Málaga\n'
const utf32 = Buffer.from(
  Uint32Array.from(['\ufeff', ...table].map((sign) => sign.codePointAt(0) ?? 0)).buffer,
)

describe('csv as programs write it', () => {
  it.each([
    ['utf-8 with a mark', Buffer.from(`\ufeff${table}`), []],
    ['utf-16', Buffer.from(`\ufeff${table}`, 'utf16le'), []],
    ['utf-16 big endian', Buffer.from(`\ufeff${table}`, 'utf16le').swap16(), []],
    ['utf-32', utf32, []],
    [
      'windows-1252',
      Buffer.from(table, 'latin1'),
      [{ code: 'encoding_guessed', values: { encoding: 'windows-1252' } }],
    ],
  ] as const)('is read in %s', async (_, bytes, expected) => {
    const { elements, warnings } = await parseBytes('a.csv', bytes)
    expect(elements[0]?.text).toBe('name\tcity\nÉlodie\tZürich\nJosé\tMálaga')
    expect(warnings).toEqual(expected)
  })

  it.each([
    ['quotes within quotes', 'a,b\n"say ""hi"", now",2\n', 'a\tb\nsay "hi", now\t2'],
    ['line ends within quotes', 'a,b\n"one\ntwo",2\n', 'a\tb\none two\t2'],
    ['a quote within a cell', 'a,b\n5" pipe,2\n', 'a\tb\n5" pipe\t2'],
    ['a quote that is never closed', 'a,b\n"open,2\nx,3\n', 'a\tb\n"open\t2\nx\t3'],
    ['old line ends', 'a,b\r1,2\r', 'a\tb\n1\t2'],
    ['rows of unequal length', 'a,b,c\n1,2\n1,2,3\n', 'a\tb\tc\n1\t2\t\n1\t2\t3'],
    ['single quotes', "a,b\n'x, y',2\n'z',3\n", 'a\tb\nx, y\t2\nz\t3'],
  ])('keeps %s', async (_, text, expected) => {
    const { elements } = await parseBytes('a.csv', text)
    expect(elements[0]?.text).toBe(expected)
  })

  it('reads the rest where a head was cut within a sign', async () => {
    const lines = Array.from({ length: 9000 }, (_, at) => `é${at},ü`).join('\n')
    const { elements, warnings } = await parseBytes('a.csv', `n,u\n${lines}\n`)
    expect(warnings).toEqual([])
    expect(elements.at(-1)?.text).toMatch(/é8999\tü$/)
  })

  it('in an encoding that shows only behind its head is guessed then, not broken', async () => {
    const plain = Array.from({ length: 9000 }, (_, at) => `name ${at},1`).join('\n')
    const { elements, warnings } = await parseBytes(
      'a.csv',
      Buffer.from(`n,u\n${plain}\nÉlodie,2\n`, 'latin1'),
    )
    expect(elements.at(-1)?.text).toMatch(/Élodie\t2$/)
    expect(warnings).toMatchObject([{ code: 'encoding_guessed' }])
  })
})
