import { describe, expect, it } from 'vitest'
import { resolveImage, safeLink } from './links.ts'

const origin = 'https://atrium.example'

describe('addresses in texts', () => {
  it.each(['https://a.co', 'http://a.co/x?y#z', 'mailto:a@b.co', ' https://a.co '])(
    'BL-09 follows %j',
    (url) => {
      expect(safeLink(url)).toBe(url.trim())
    },
  )

  it.each(['', '/a', '#a', '//a.co', 'ftp://a.co', 'javascript:1', 'data:,x', 'https://', 'java\nscript:1'])(
    'BL-09 does not follow %j',
    (url) => expect(safeLink(url)).toBeNull(),
  )

  it.each([
    ['sandbox:/mnt/data/a.png', `${origin}/mnt/data/a.png`],
    ['sandbox:mnt/a.png', `${origin}/mnt/a.png`],
    ['assets/tools/a.png', `${origin}/api/v1/assets/tools/a.png`],
    ['/assets/tools/x/a.png', `${origin}/api/v1/assets/tools/x/a.png`],
    ['/api/v1/files/1', `${origin}/api/v1/files/1`],
    [`${origin}/a.png`, `${origin}/a.png`],
    ['data:image/png;base64,AA', 'data:image/png;base64,AA'],
  ])('BL-10 BL-11 %s is ours', (url, src) => expect(resolveImage(url, origin)).toEqual({ kind: 'own', src }))

  it.each(['https://other.example/a.png', 'http://atrium.example/a.png', 'sandbox://other.example/a.png'])(
    'BL-10 never loads %s from another host',
    (url) => {
      const source = resolveImage(url, origin)
      expect(source.kind === 'own' ? new URL(source.src).origin : origin).toBe(origin)
    },
  )

  it.each([
    '',
    'javascript:1',
    'data:text/html,x',
    '//other.example/a.png',
    '/\\other.example/a.png',
    'a.png',
  ])('shows nothing for %j', (url) => expect(resolveImage(url, origin)).toEqual({ kind: 'none' }))
})
