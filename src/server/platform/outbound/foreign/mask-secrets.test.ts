import { describe, expect, it } from 'vitest'
import { createMask, isQuickToMask } from './mask-secrets.ts'

const secret = 'SECRET-a b/+=&"\\é12'
const mask = createMask([secret, `anna:${secret}`])
const base64 = (text: string) => Buffer.from(text).toString('base64')
const percent = (text: string) => [...Buffer.from(text)].map((one) => `%${one.toString(16)}`).join('')
const unicode = (text: string) =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

/** Returns the processor time of some work in milliseconds. */
function processorMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

describe('createMask', () => {
  it.each<[string, string]>([
    ['as it is', secret],
    ['in a URL', encodeURIComponent(secret)],
    ['in a URL, in lower case', encodeURIComponent(secret).replace(/%../g, (one) => one.toLowerCase())],
    ['in a form', new URLSearchParams({ s: secret }).toString().slice(2)],
    ['in a URL, every sign escaped', percent(secret)],
    ['in a URL, some signs escaped', `${percent('SEC')}${encodeURIComponent('RET-a b/+=&"\\é12')}`],
    ['in a URL within a URL', encodeURIComponent(encodeURIComponent(secret))],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in JSON as PHP writes it', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
    ['in JSON, every sign escaped', unicode(secret)],
    ['in JSON within JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ['in a URL within JSON', unicode(encodeURIComponent(secret))],
    ['in HTML', secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
    ['in HTML, by numbers', [...secret].map((one) => `&#${one.charCodeAt(0)};`).join('')],
    [
      'in HTML, by hexadecimal numbers',
      [...secret].map((one) => `&#x${one.charCodeAt(0).toString(16)};`).join(''),
    ],
    ['in base64', base64(secret)],
    ['in base64 for URLs', Buffer.from(secret).toString('base64url')],
    ['in hex', Buffer.from(secret).toString('hex')],
    [
      'in JavaScript, by code points',
      [...secret].map((one) => `\\u{${one.charCodeAt(0).toString(16)}}`).join(''),
    ],
    ['in octal', [...secret].map((one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')],
    ['in base64 of UTF-16', Buffer.from(secret, 'utf16le').toString('base64')],
    ['in base64 of big-endian UTF-16', Buffer.from(secret, 'utf16le').swap16().toString('base64')],
    ['in HTML, by numbers without semicolons', [...secret].map((one) => `&#0${one.charCodeAt(0)}`).join('')],
    [
      'in HTML, by padded numbers',
      [...secret].map((one) => `&#x000000${one.charCodeAt(0).toString(16)};`).join(''),
    ],
    ['as the function escape of JavaScript writes it', unicode(secret).replaceAll('\\', '%')],
    ['in Python, by long code points', unicode(secret).replaceAll('\\u', '\\U0000')],
    ['in base64 of JSON', base64(JSON.stringify(secret).slice(1, -1))],
    ['in base64 of a URL', base64(encodeURIComponent(secret))],
    ['in hex of a URL', Buffer.from(encodeURIComponent(secret)).toString('hex')],
    ['in base64 of base64', base64(base64(secret))],
    ['in decimal bytes', [...Buffer.from(secret)].join(',')],
    ['in decimal bytes with spaces', [...Buffer.from(secret)].join(', ')],
    ['in decimal bytes, one per line', [...Buffer.from(secret)].join('\n')],
    ['in hex with colons', (Buffer.from(secret).toString('hex').match(/../g) ?? []).join(':')],
    ['in hexadecimal bytes', [...Buffer.from(secret)].map((one) => `0x${one.toString(16)}`).join(', ')],
  ])('masks a secret %s', (_, written) => {
    expect(mask.text(`before ${written} behind`)).toMatch(/^before ••••=* behind$/)
  })

  it.each(['', 'x', 'xy', 'user:', 'anna:'])('masks the base64 of a secret behind “%s”', (before) => {
    const shown = mask.text(`<${base64(`${before}${secret}, then more`)}>`)
    const left = Buffer.from(shown.replace('••••', '').slice(1, -1), 'base64').toString('latin1')
    expect(shown).toContain('••••')
    expect(left).not.toContain('CRET')
  })

  it('masks secrets in values, names and numbers, and nothing else', () => {
    const { value } = createMask(['12345678', 'abcd', 'xyz'])
    expect(value({ 'k-abcd': ['xyz', 12345678, { n: 1, is: true, no: null }], t: '1234567' })).toEqual({
      'k-••••': ['xyz', '••••', { n: 1, is: true, no: null }],
      t: '1234567',
    })
  })

  it('masks lists of the bytes or characters of a secret, and no other lists', () => {
    const { value } = createMask(['abcd-1234'])
    expect(value({ data: [...Buffer.from('<abcd-1234>')], signs: [...'abcd-1234'] })).toEqual({
      data: ['••••'],
      signs: ['••••'],
    })
    expect(value([97, 98, 99, 100, 45])).toEqual([97, 98, 99, 100, 45])
  })

  it('masks base32 of a secret, alone or behind other bytes', () => {
    // The text "abcd-1234" and, behind 1 to 4 bytes "x", the same, encoded by the base32 of coreutils.
    const codes = ['MFRGGZBNGEZDGNA=', 'PBQWEY3EFUYTEMZU', 'PB4GCYTDMQWTCMRTGQ======']
    const { text } = createMask(['abcd-1234'])
    for (const code of [...codes, 'PB4HQYLCMNSC2MJSGM2A====', 'PB4HQ6DBMJRWILJRGIZTI===']) {
      expect(text(code)).toContain('••••')
      expect(text(code).replace(/[=•]/g, '').length).toBeLessThan(10)
    }
  })

  it('masks an array of bytes that JSON wrote as an object', () => {
    const { value } = createMask(['abcd-1234'])
    expect(value({ ...Buffer.from('abcd-1234') })).toEqual({ 0: '••••' })
    expect(value({ 0: 'a', 1: 7 })).toEqual({ 0: 'a', 1: 7 })
  })

  it('counts as quick only short texts with short secrets', () => {
    const secrets = ['%25a'.repeat(250), 'aaaa'.repeat(250)]
    expect(isQuickToMask(secrets, 8 * 1024)).toBe(true)
    const used = ['%25252525', '%61', 'aaaa ', '\\', '&amp;'].map((part) => {
      const text = part.repeat((8 * 1024) / part.length)
      return Math.min(...Array.from({ length: 5 }, () => processorMs(() => createMask(secrets).text(text))))
    })
    expect(Math.max(...used)).toBeLessThan(50)
    expect(isQuickToMask(['aaaa'], 64 * 1024)).toBe(false)
    expect(isQuickToMask(['a'.repeat(10_000)], 10)).toBe(false)
    expect(isQuickToMask([], 10_000_000)).toBe(true)
  })

  it('masks a secret that looks like an escape', () => {
    const { text } = createMask(['a%41b"c\\u0041'])
    expect(text(JSON.stringify('a%41b"c\\u0041'))).toBe('"••••"')
    expect(text('a%41b"c\\u0041')).toBe('••••')
  })

  const token = 'sk-Live_9xQ/+=z7"k&v'
  const hex = Buffer.from(token).toString('hex')
  const pairs = hex.match(/../g) ?? []

  it.each<[string, string]>([
    ['in upper case', token.toUpperCase()],
    ['in lower case', token.toLowerCase()],
    ['over several lines', token.replace(/(.{4})(?=.)/g, '$1\n')],
    ['with invisible characters', [...token].join('\u200b')],
    ['in fullwidth letters', token.replace(/./g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))],
    ['letter by letter', [...token].join('", "')],
    ['in hex with spaces', pairs.join(' ')],
    ['in hex with colons', pairs.join(':').toUpperCase()],
    ['in base64 over several lines', base64(token).replace(/(.{8})(?=.)/g, '$1\r\n')],
    ['split and escaped', percent(`${token.slice(0, 6)} ${token.slice(6)}`)],
  ])('masks a long secret %s', (_, written) => {
    expect(createMask([token]).text(`<${written}>`)).toMatch(/^<••••[=]*>$/)
  })

  it('leaves names of people that are users of a service readable', () => {
    expect(createMask(['jean.dupont.martin']).text('Jean Dupont Martin')).toBe('Jean Dupont Martin')
    expect(createMask(['ab-12-cd']).text('AB 12 CD')).toBe('AB 12 CD')
  })

  it('leaves texts without secrets unchanged', () => {
    const plain = '100 % of \\u00zz &nothing; &amp; %zz \\q &#99999999;'
    expect(mask.text(plain)).toBe(plain)
    expect(createMask([]).text(secret)).toBe(secret)
  })

  it('processes a long text in linear time', () => {
    const began = performance.now()
    for (const part of ['%41', '\\', '&', '&#', '\\u004', '%', 'SECRET-a'])
      expect(mask.text(part.repeat(1_000_000 / part.length)).length).toBeGreaterThan(900_000)
    expect(performance.now() - began).toBeLessThan(15_000)
  })
})
