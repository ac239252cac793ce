import { afterAll, describe, expect, it } from 'vitest'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'
import { readTnef } from './read-tnef.ts'

afterAll(forgetParsed)

const number = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const attribute = (level: number, id: number, value: Buffer | string) => {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([level]), number(id), number(bytes.length), bytes, Buffer.alloc(2)])
}
const tnef = (...attributes: Buffer[]) => Buffer.concat([Buffer.from('789f3e220100', 'hex'), ...attributes])
const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
const property = (id: number, type: number, value: Buffer) =>
  Buffer.concat([number(((id << 16) | type) >>> 0), number(1), number(value.length), padded(value)])
const properties = (...all: Buffer[]) => Buffer.concat([number(all.length), ...all])
const unicode = (text: string) => Buffer.from(`${text}\0`, 'utf16le')
/** RTF stored without compression ([MS-OXRTFCP]). */
const storedRtf = (rtf: string) =>
  Buffer.concat([
    number(rtf.length + 12),
    number(rtf.length),
    Buffer.from('MELA'),
    number(0),
    Buffer.from(rtf),
  ])

const file = (name: string, content: string) => [
  attribute(2, 0x00069002, Buffer.alloc(14)),
  attribute(2, 0x0006800f, content),
  attribute(2, 0x00069005, properties(property(0x3707, 0x1f, unicode(name)))),
]

describe('readTnef', () => {
  it('reads subject, body and attachments from the old attributes', () => {
    const mail = readTnef(
      tnef(
        attribute(1, 0x00018004, 'Budget\0'),
        attribute(1, 0x0002800c, 'It costs 77,000 euros.\0'),
        ...file('Fähre.txt', 'leaves at 07:45'),
      ),
    )
    expect(mail).toMatchObject({ subject: 'Budget', text: 'It costs 77,000 euros.' })
    expect(mail.attachments.map(({ name, bytes }) => [name, String(bytes)])).toEqual([
      ['Fähre.txt', 'leaves at 07:45'],
    ])
  })

  it.each([
    ['HTML', property(0x1013, 0x102, Buffer.from('<p>It costs 5 €</p>')), { html: '<p>It costs 5 €</p>' }],
    ['RTF', property(0x1009, 0x102, storedRtf('{\\rtf1 It costs {\\b 5}.}')), { text: 'It costs 5.' }],
    ['text', property(0x1000, 0x1f, unicode('It costs 5 €')), { text: 'It costs 5 €' }],
  ])('reads a body of %s among the properties', (_, body, expected) => {
    const named = Buffer.concat([
      number(((0x8001 << 16) | 3) >>> 0),
      ...[Buffer.alloc(16), number(0), number(7), number(1)],
    ])
    expect(readTnef(tnef(attribute(1, 0x00069003, properties(named, body))))).toMatchObject(expected)
  })

  it('refuses properties that are truncated', () => {
    const cut = properties(property(0x1000, 0x1f, unicode('text'))).subarray(0, 14)
    expect(() => readTnef(tnef(attribute(1, 0x00069003, cut)))).toThrow('damaged')
  })
})

describe('a mail with winmail.dat', () => {
  const bytes = tnef(attribute(1, 0x0002800c, 'The bridge costs 77,000 euros.\0'), ...file('a.txt', 'inside'))
  const mail = [
    'From: a@b.example\r\nTo: c@d.example\r\nSubject: Hi\r\nMIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=X\r\n',
    '--X\r\nContent-Type: text/plain\r\n\r\nSee attached.',
    '--X\r\nContent-Type: application/ms-tnef; name=winmail.dat\r\nContent-Transfer-Encoding: base64\r\n',
    bytes.toString('base64'),
    '--X--\r\n',
  ].join('\r\n')

  it('shows its content and extracts its files', async () => {
    const { elements, warnings, attachments } = await parseBytes('a.eml', mail)
    expect(elements.slice(1).map(({ text }) => text)).toEqual([
      'See attached.',
      'The bridge costs 77,000 euros.',
    ])
    expect(warnings).toEqual([])
    expect(attachments.map(({ name }) => name)).toEqual(['a.txt'])
  })

  it('is also read on its own', async () => {
    const { elements, attachments } = await parseBytes('winmail.dat', bytes)
    expect(elements.at(-1)?.text).toBe('The bridge costs 77,000 euros.')
    expect(attachments.map(({ name }) => name)).toEqual(['a.txt'])
  })
})
