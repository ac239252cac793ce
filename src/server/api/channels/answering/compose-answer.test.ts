import { describe, expect, it } from 'vitest'
import { citationTag, websourceTag } from '#shared/platform/citations/citation-tags.ts'
import { toMrkdwn } from '../slack/to-mrkdwn.ts'
import { composeAnswer } from './compose-answer.ts'

const CHUNK = '0f0f0f0f-0000-4000-8000-000000000001'
const compose = (content: string, blocks: unknown = []) =>
  composeAnswer({
    ...{ content, blocks, publicUrl: 'https://atrium.example' },
    ...{ sources: 'Sources:', more: 'More.' },
  })

describe('a link that the model wrote', () => {
  it('shows the host that it leads to', () => {
    const text = compose('Sign in at [https://bank.example](https://evil.example/login).')
    expect(text).toBe('Sign in at https://bank.example ([evil.example](https://evil.example/login)).')
    expect(toMrkdwn(text)).toBe(
      'Sign in at https://bank.example (<https://evil.example/login|evil.example>).',
    )
  })

  it('shows the host behind a name and a password', () => {
    const text = compose('[bank](https://bank.example@evil.example/)')
    expect(text).toBe('bank ([evil.example](https://bank.example@evil.example/))')
  })

  it('stays as it is when its label is its address', () => {
    const link = '[https://a.example/b](https://a.example/b)'
    expect(compose(link)).toBe(link)
  })

  it('is no image', () => {
    expect(compose('![logo](https://evil.example/seen.png)')).toBe(
      'logo ([evil.example](https://evil.example/seen.png))',
    )
  })

  it.each([
    '[https://bank.example](//evil.example)',
    '[https://bank.example](<https://evil.example>)',
    '[https://bank.example](https://evil.example "a title")',
    '[[https://bank.example](https://evil.example)](https://evil.example)',
  ])('hides no host in another form: %s', (text) => {
    expect(compose(text)).not.toMatch(/bank\.example[^ ]{0,3}\]\(/)
  })
})

describe('a citation', () => {
  it('of a document links to our viewer', () => {
    const sources = [
      { id: CHUNK, title: null, url: null, passage: { document_id: 'd1', document_name: 'Lease' } },
    ]
    const url = `https://atrium.example/documents/d1?chunk=${CHUNK}`
    expect(compose(`It is 42. ${citationTag(CHUNK, 1)}`, [{ sources }])).toBe(
      `It is 42. [[1]](${url})\n\nSources:\n[1] [Lease](${url})`,
    )
  })

  it('of a page shows the host after a title that names another one', () => {
    const page = 'https://evil.example/page'
    expect(compose(`It is 42. ${websourceTag(page, 'https://bank.example', 1)}`)).toBe(
      `It is 42. [[1]](${page})\n\nSources:\n[1] https://bank.example ([evil.example](${page}))`,
    )
  })
})

describe('a long answer', () => {
  it.each([
    ['without spaces', 'あ'.repeat(20_000)],
    ['with a space at its beginning only', `日 ${'あ'.repeat(20_000)}`],
    ['of characters that are pairs', `a${'😀'.repeat(20_000)}`],
  ])('%s is cut and continued in the product', (_, content) => {
    const text = compose(content)
    expect(text).toMatch(/^[^.]{11000,12000}\n\nMore\.$/)
    expect(text.isWellFormed()).toBe(true)
  })

  it('is cut before a link, and lists the sources of what is left', () => {
    const page = (n: number) => websourceTag(`https://a.example/${n}`, `Page ${n}`, n)
    const text = compose(`あ${page(1)}${'い'.repeat(11_960)}${page(2)}${'う'.repeat(20_000)}${page(3)}`)
    expect(text).toContain('Page 1')
    expect(text).not.toMatch(/\[\[?[23]|Page [23]/)
    expect(text).toMatch(/い\n\nMore\.\n\nSources:\n\[1\] /)
  })
})
