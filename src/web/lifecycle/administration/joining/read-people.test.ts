import { describe, expect, it } from 'vitest'
import { decodeFile, readPeople } from './read-people.ts'

const companies = [
  { id: 'c1', name: 'Orsane' },
  { id: 'c2', name: 'Aurore Énergie' },
] as Parameters<typeof readPeople>[1]['companies']

/** "Société;Rôle;E-mail" and one person, as a spreadsheet program saves it. */
const text = 'Société;Rôle;E-mail\nAurore Énergie;Administrateur d’entreprise;ada@x.eu\n'
const expected = [{ email: 'ada@x.eu', companyId: 'c2', role: 'company_admin', problem: null }]

describe('a file of people', () => {
  it.each([
    ['UTF-8', new TextEncoder().encode(text)],
    ['UTF-16', Uint8Array.from(Buffer.from(`\uFEFF${text}`, 'utf16le'))],
    ['big-endian UTF-16', Uint8Array.from(Buffer.from(`\uFEFF${text}`, 'utf16le').swap16())],
    ['Windows-1252', Uint8Array.from(Buffer.from(text.replace('’', '\x92'), 'latin1'))],
  ])('is read from %s, so that nobody joins another company or gets another role', (_, bytes) => {
    const read = decodeFile(bytes.buffer)
    expect(readPeople(read, { companies, companyId: 'c1', isSuper: false })).toMatchObject(expected)
  })
})
