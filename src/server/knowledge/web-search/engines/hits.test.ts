import { describe, expect, it } from 'vitest'
import { cleanHit, recentEnough } from './hits.ts'

const hit = (url: string, more = {}) => cleanHit({ url, title: 'T', engine: 'brave', ...more })[0]

describe('cleanHit', () => {
  it('keeps only web addresses, without fragments', () => {
    expect(hit('https://Example.com/a b#top')?.url).toBe('https://example.com/a%20b')
    expect(hit('https://example.com/?a=`|$')?.url).toBe('https://example.com/?a=%60%7C%24')
    for (const url of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'https://a:b@example.com/',
      'no address',
      `https://e.com/${'x'.repeat(2_000)}`,
    ])
      expect(hit(url)).toBeUndefined()
  })

  it('returns plain text with a date', () => {
    expect(
      hit('https://e.com', {
        title: ' <b>Rents</b> &amp; &#39;more&#39;\n',
        snippet: 'a'.repeat(999),
        published: '2026-03-02T10:00:00Z',
      }),
    ).toMatchObject({
      ...{ title: "Rents & 'more'", published: '2026-03-02', snippet: 'a'.repeat(400) },
    })
    expect(hit('https://e.com/x', { title: '', published: '3 days ago' })).toMatchObject({
      title: 'e.com',
      published: null,
    })
  })

  it('keeps recent hits and hits without a date', () => {
    const hits = [
      hit('https://a.com', { published: '2026-11-20' })!,
      hit('https://b.com', { published: '2026-10-01' })!,
      hit('https://c.com')!,
    ]
    const now = new Date('2026-11-21T00:00:00Z')
    expect(recentEnough(hits, 'week', now).map(({ url }) => url)).toEqual([
      'https://a.com/',
      'https://c.com/',
    ])
    expect(recentEnough(hits, null, now)).toHaveLength(3)
  })
})
