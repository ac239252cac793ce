import { afterAll, describe, expect, it } from 'vitest'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'

afterAll(forgetParsed)

const mail = [
  'From: =?utf-8?Q?=C3=89lodie?= <elodie@a.example>',
  'To: Bob <bob@b.example>, c@d.example',
  'Cc: boss@b.example',
  'Date: Fri, 1 Mar 2024 10:30:00 +0100',
  'Subject: The plan',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=X',
  '',
  '--X',
  'Content-Type: text/html; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<h1>D=E9j=E0</h1><p onclick=3D"x()">Hello <b>Bob</b><img src=3D"http://spy.example/p.gif"></p><script>x()</script>',
  '--X',
  'Content-Type: text/plain; name="../notes.txt"',
  'Content-Disposition: attachment; filename="../notes.txt"',
  '',
  'attached words',
  '--X',
  'Content-Type: application/octet-stream',
  'Content-Disposition: attachment; filename="second.bin"',
  '',
  'two',
  '--X--',
  '',
].join('\r\n')

describe('eml', () => {
  it('reads the sender, the recipients, the body and the attachments', async () => {
    const { elements, facts, attachments, attached, keptText } = await parseBytes('a.eml', mail)
    expect(elements[0]?.text).toBe(
      'From: Élodie <elodie@a.example>\nTo: Bob <bob@b.example>, c@d.example\nCc: boss@b.example\nDate: 2024-03-01 09:30 UTC\nSubject: The plan',
    )
    expect(elements.slice(1).map(({ type, text }) => [type, text])).toEqual([
      ['Title', 'Déjà'],
      ['NarrativeText', 'Hello Bob'],
    ])
    expect(facts).toMatchObject({ subject: 'The plan', from: 'Élodie <elodie@a.example>' })
    expect(attachments.map(({ name }) => name)).toEqual(['notes.txt', 'second.bin'])
    expect(String(await attached('notes.txt')).trim()).toBe('attached words')
    const kept = JSON.parse(await keptText('mail.json'))
    expect(kept).toMatchObject({ date: '2024-03-01T09:30:00.000Z', attachments: ['notes.txt', 'second.bin'] })
    expect(kept.html).not.toMatch(/onclick|spy|script/)
  })

  it('labels its header lines in the language of the person', async () => {
    const { elements } = await parseBytes('a.eml', mail, { language: 'fr' })
    expect(elements[0]?.text).toMatch(/^De: .*\nÀ: .*[\s\S]*\nObjet: The plan$/)
  })

  it.each([
    ['utf-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['windows-1252', (text: string) => Buffer.from(text, 'latin1')],
    ['utf-8', (text: string) => Buffer.from(text)],
  ] as const)('reads a text in %s', async (charset, encode) => {
    const source = `From: a@a.example\nTo: b@b.example\nSubject: Plan\nMIME-Version: 1.0\nContent-Type: text/plain; charset=${charset}\nContent-Transfer-Encoding: 8bit\n\nDéjà vu à Zürich\n`
    const { elements } = await parseBytes('a.eml', encode(source))
    expect(elements.at(-1)?.text).toBe('Déjà vu à Zürich')
  })

  const withPart = (type: string, name: string) =>
    mail
      .replace('Content-Type: application/octet-stream', `Content-Type: ${type}; name="${name}"`)
      .replace('filename="second.bin"', `filename="${name}"`)

  it.each([
    ['encrypted', 'application/pkcs7-mime', 'smime.p7m', 'mail_encrypted'],
    ['in the form of Outlook', 'application/ms-tnef', 'winmail.dat', 'mail_in_outlook_format'],
  ])('reports %s', async (_, type, name, code) => {
    const { warnings, attachments } = await parseBytes('a.eml', withPart(type, name))
    expect(warnings).toEqual([{ code }])
    expect(attachments.map((one) => one.name)).toEqual(['notes.txt'])
  })

  it('does not extract a signature as a file', async () => {
    const { warnings, attachments } = await parseBytes(
      'a.eml',
      withPart('application/pkcs7-signature', 'smime.p7s'),
    )
    expect({ warnings, names: attachments.map(({ name }) => name) }).toEqual({
      warnings: [],
      names: ['notes.txt'],
    })
  })

  it('extracts a mail within a mail as a file', async () => {
    const inner = withPart('message/rfc822', 'old.eml').replace(/\ntwo\r/, `\n${mail.replace(/X/g, 'Y')}\r`)
    const { attached } = await parseBytes('a.eml', inner)
    const below = await parseBytes('old.eml', await attached('old.eml'))
    expect(below.facts.subject).toBe('The plan')
    expect(below.attachments.map(({ name }) => name)).toEqual(['notes.txt', 'second.bin'])
  })

  it('extracts no more attachments than the limits allow and reports it', async () => {
    const few = await parseBytes('a.eml', mail, { limits: { entries: 1 } })
    expect(few.attachments).toHaveLength(1)
    expect(few.warnings).toEqual([{ code: 'attachments_skipped', values: { count: 1 } }])
    const deep = await parseBytes('a.eml', mail, { limits: { depth: 0 } })
    expect(deep.attachments).toEqual([])
  })
})
