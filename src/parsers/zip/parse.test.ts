import { afterAll, describe, expect, it } from 'vitest'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'
import { zipOf } from '#tests/zip.ts'

afterAll(forgetParsed)

describe('zip', () => {
  it('makes each file a separate document and lists them', async () => {
    const bytes = zipOf({
      'a/one.txt': 'first',
      'two.zip': zipOf({ 'in.txt': 'x' }),
      '__MACOSX/._a': 'x',
      '../evil.txt': 'bad',
    })
    const { text, attachments, attached, warnings } = await parseBytes('a.zip', bytes)
    expect(text).toBe('a/one.txt\n\ntwo.zip')
    expect(attachments.map(({ name }) => name)).toEqual(['one.txt', 'two.zip'])
    expect(String(await attached('one.txt'))).toBe('first')
    expect(warnings).toEqual([{ code: 'entries_skipped', values: { count: 1 } }])
  })

  it('unpacks nothing deeper than the limit', async () => {
    const { attachments, warnings } = await parseBytes('a.zip', zipOf({ a: '1', b: '2' }), {
      limits: { depth: 0 },
    })
    expect(attachments).toEqual([])
    expect(warnings).toEqual([{ code: 'entries_skipped', values: { count: 2 } }])
  })

  it('reports that it has a password', async () => {
    const bytes = zipOf([{ name: 'a.txt', content: 'x', isEncrypted: true }])
    await expect(parseBytes('a.zip', bytes)).rejects.toMatchObject({ code: 'encrypted' })
  })
})
