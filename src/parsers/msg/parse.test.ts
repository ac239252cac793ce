import { afterAll, describe, expect, it } from 'vitest'
import { type MsgMail, msgOf } from '#tests/msg.ts'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'

afterAll(forgetParsed)

/** 1 March 2024 09:30 UTC, in tenths of a microsecond since 1601. */
const MARCH = 133537590000000000

const inner: MsgMail = {
  properties: { '001A001F': 'IPM.Note', '0037001F': 'The old one', '1000001F': 'Inner words.' },
}
const mail: MsgMail = {
  properties: {
    ...{
      '001A001F': 'IPM.Note',
      '0037001F': 'Le plan',
      '0C1A001F': 'Élodie',
      '5D01001F': 'elodie@a.example',
    },
    ...{ '1000001F': 'Bonjour,\r\n\r\nvoici le plan.', '0E060040': MARCH },
  },
  recipients: [
    { '3001001F': 'Bob', '39FE001F': 'bob@b.example', '0C150003': 1 },
    { '3001001F': 'Boss', '39FE001F': 'boss@b.example', '0C150003': 2 },
    { '3001001F': 'Secret', '39FE001F': 'secret@b.example', '0C150003': 3 },
  ],
  attachments: [
    { properties: { '3707001F': '..\\notes.txt', '37010102': Buffer.from('attached words'), '37050003': 1 } },
    { properties: { '3001001F': 'The old one', '37050003': 5 }, mail: inner },
  ],
}

describe('msg', () => {
  it('reads the sender, the recipients, the date and the body', async () => {
    const { format, elements, facts, keptText } = await parseBytes('a.msg', msgOf(mail))
    expect(format).toBe('msg')
    expect(elements.map(({ text }) => text)).toEqual([
      'From: Élodie <elodie@a.example>\nTo: Bob <bob@b.example>\nCc: Boss <boss@b.example>\nDate: 2024-03-01 09:30 UTC\nSubject: Le plan',
      'Bonjour,',
      'voici le plan.',
    ])
    expect(facts).toMatchObject({ subject: 'Le plan', from: 'Élodie <elodie@a.example>' })
    expect(JSON.parse(await keptText('mail.json'))).toMatchObject({
      date: '2024-03-01T09:30:00.000Z',
      attachments: ['notes.txt', 'The old one.msg'],
    })
  })

  it('extracts attachments as files, including mails in mails', async () => {
    const { attachments, attached } = await parseBytes('a.msg', msgOf(mail))
    expect(attachments.map(({ name }) => name)).toEqual(['notes.txt', 'The old one.msg'])
    expect(String(await attached('notes.txt'))).toBe('attached words')
    const below = await parseBytes('The old one.msg', await attached('The old one.msg'))
    expect(below.elements.map(({ text }) => text)).toEqual(['Subject: The old one', 'Inner words.'])
  })

  it('shows HTML without active content and reads its words', async () => {
    const html = Buffer.from('<meta charset=iso-8859-1><h1>D\xe9j\xe0</h1><script>x()</script>', 'latin1')
    const { elements, keptText } = await parseBytes(
      'a.msg',
      msgOf({ properties: { '001A001F': 'IPM.Note', '10130102': html } }),
    )
    expect(elements.map(({ type, text }) => [type, text])).toEqual([['Title', 'Déjà']])
    expect(JSON.parse(await keptText('mail.json')).html).not.toContain('script')
  })

  it('reads mails from before Unicode in the code page they declare', async () => {
    const bytes = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])
    const { elements } = await parseBytes(
      'a.msg',
      msgOf({
        properties: { '001A001E': 'IPM.Note', '3FDE0003': 1251, '3FFD0003': 1251, '1000001E': bytes },
      }),
    )
    expect(elements.map(({ text }) => text)).toEqual(['Привет'])
  })

  it('reports that a truncated file is damaged', async () => {
    const whole = msgOf(mail)
    await expect(parseBytes('a.msg', whole.subarray(0, 1600))).rejects.toMatchObject({ code: 'damaged' })
  })
})
