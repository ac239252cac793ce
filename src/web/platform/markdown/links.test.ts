import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolveImage, safeLink } from './links.ts'

const origin = 'https://atrium.example'

describe('addresses in texts', () => {
  it.each(['https://a.co', 'http://a.co/x?y#z', 'mailto:a@b.co', ' https://a.co '])(
    'follows %j [BL-09]',
    (url) => {
      expect(safeLink(url)).toBe(url.trim())
    },
  )

  it.each(['', '/a', '#a', '//a.co', 'ftp://a.co', 'javascript:1', 'data:,x', 'https://', 'java\nscript:1'])(
    'does not follow %j [BL-09]',
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
  ])('%s is ours [BL-10]', (url, src) => expect(resolveImage(url, origin)).toEqual({ kind: 'own', src }))

  it.each(['https://other.example/a.png', 'http://atrium.example/a.png', 'sandbox://other.example/a.png'])(
    'never loads %s from another host [BL-10]',
    (url) => {
      const source = resolveImage(url, origin)
      expect(source.kind === 'own' ? new URL(source.src).origin : origin).toBe(origin)
    },
  )

  it.each([
    ['//other.example/a.png', 'https://other.example/a.png'],
    ['/\\other.example/a.png', 'https://other.example/a.png'],
    ['/\t/other.example/x', 'https://other.example/x'],
    ['\\\n\\other.example/x', 'https://other.example/x'],
    ['https:\\\\other.example\\x', 'https://other.example/x'],
    [`${origin}@other.example/x`, 'https://atrium.example@other.example/x'],
    ['http://atrium.example/a.png', 'http://atrium.example/a.png'],
  ])('%j is a link to the host a browser would ask [BL-10]', (url, href) =>
    expect(resolveImage(url, origin)).toEqual({ kind: 'external', url: href, host: new URL(href).host }),
  )

  it.each([
    'sandbox:/\\evil/x',
    'sandbox:\t//evil/x',
    'sandbox:\\\\evil/x',
    'assets/tools/../../../../..//evil/x',
  ])('%j does not leave the origin [BL-10]', (url) => {
    const source = resolveImage(url, origin)
    expect(source.kind === 'own' && new URL(source.src).origin).toBe(origin)
  })

  it.each([
    '',
    'javascript:1',
    'data:text/html,x',
    'a.png',
    'da\tta:image/png,x',
    'sand\tbox:/x',
    'ftp://a.co/x',
  ])('shows nothing for %j', (url) => expect(resolveImage(url, origin)).toEqual({ kind: 'none' }))

  it('sends requests only to this origin, whatever the address contains', () => {
    const pieces = [
      '/',
      '\\',
      '\t',
      '\n',
      '\r',
      ' ',
      '\0',
      ':',
      '@',
      '..',
      '.',
      '#',
      '?',
      '%2f',
      'evil',
      'a.co',
      'https:',
    ]
    const more = [
      'http:',
      'HTTPS://',
      'sandbox:',
      'SANDBOX:',
      'assets/tools/',
      'blob:',
      'data:image/png,',
      origin,
      '⁄',
      '　',
      '\u00a0',
    ]
    const address = fc.array(fc.oneof(fc.constantFrom(...pieces, ...more), fc.string({ maxLength: 3 })), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(address, (parts) => {
        const url = parts.join('')
        const source = resolveImage(url, origin)
        if (source.kind === 'own' && !/^(data|blob):/i.test(source.src)) {
          expect(new URL(source.src, origin).href).toBe(source.src)
          expect(new URL(source.src, origin).origin).toBe(origin)
        }
        if (source.kind === 'external') expect(new URL(source.url, origin).host).toBe(source.host)
        const isOurs = /assets\/tools\/|^\s*sandbox:/i.test(url)
        const browser = URL.canParse(url, origin) ? new URL(url, origin) : null
        if (!isOurs && /^https?:$/.test(browser?.protocol ?? '') && browser?.origin !== origin)
          expect(source.kind).not.toBe('own')
      }),
      { numRuns: 5_000 },
    )
  })
})
