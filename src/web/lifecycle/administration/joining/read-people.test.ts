import { expect, it } from 'vitest'
import { readPeople } from './read-people.ts'
import { readText } from './read-text.ts'

const company = { requires_second_factor: false, outward_calls: 'ask', outward_fixed_by: null, people: 1 }
const companies = [
  { ...company, id: 'c1', name: 'Orsane' },
  { ...company, id: 'c2', name: 'Orsane Énergie' },
]
const options = { companies: companies as never, companyId: 'c1', isSuper: false }
const read = (text: string) =>
  readPeople(text, options)?.map(({ email, companyId, role, problem }) => [
    email,
    companyId,
    role,
    problem,
  ]) ?? null

it('reads a list of addresses without a header, with names around them', () => {
  expect(read('ines@orsane.eu\nHugo Brunet <hugo@orsane.eu>\nmailto:lea@orsane.eu\n')).toEqual([
    ['ines@orsane.eu', 'c1', 'member', null],
    ['hugo@orsane.eu', 'c1', 'member', null],
    ['lea@orsane.eu', 'c1', 'member', null],
  ])
})

it('finds columns by their names in English and French, in any order', () => {
  expect(
    read('Nom;Rôle;Société;Adresse e-mail\nInès;Administrateur;orsane énergie;INES@orsane.eu\n'),
  ).toEqual([['ines@orsane.eu', 'c2', 'company_admin', null]])
  expect(read('role\temail\nsuper_admin\ta@b.eu\nwizard\tc@d.eu')).toEqual([
    ['a@b.eu', 'c1', 'super_admin', 'role'],
    ['c@d.eu', 'c1', 'member', 'role'],
  ])
})

it('returns null for a file without addresses, and for one that is not CSV', () => {
  expect(read('name,company\nInès,Orsane\n')).toBeNull()
  expect(read('email\n"never closed')).toBeNull()
})

it('decodes the files of spreadsheets', () => {
  const text = 'email;société\na@b.eu;Orsane Énergie\n'
  const utf16 = Uint8Array.from([
    0xff,
    0xfe,
    ...new Uint8Array(Uint16Array.from(text, (c) => c.charCodeAt(0)).buffer),
  ])
  const western = Uint8Array.from(text, (character) => character.charCodeAt(0))
  for (const bytes of [new TextEncoder().encode(`\uFEFF${text}`), utf16, western])
    expect(read(readText(bytes))).toEqual([['a@b.eu', 'c2', 'member', null]])
})

it('takes a role by the name that the interface gives it, and reports the text of an unknown one', () => {
  const text = 'email;rôle\na@b.eu;Administrateur d’entreprise\nc@d.eu;Chef\n'
  expect(readPeople(text, options)).toMatchObject([
    { role: 'company_admin', problem: null },
    { roleText: 'Chef', problem: 'role' },
  ])
})

it('does not guess which of two companies of one name is meant', () => {
  const twins = [...companies, { ...company, id: 'c3', name: 'ORSANE' }] as never
  const rows = readPeople('email,company\na@b.eu,Orsane\nc@d.eu,\n', { ...options, companies: twins })
  expect(rows).toMatchObject([
    { companyId: null, problem: 'companies' },
    { companyId: 'c1', problem: null },
  ])
})
