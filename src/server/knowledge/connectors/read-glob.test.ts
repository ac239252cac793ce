import { matchesGlob } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readGlob } from './read-glob.ts'

const patterns = [
  ...[
    '*.pdf',
    '*',
    '**',
    'a/**',
    '**/b.pdf',
    'a/**/c.pdf',
    'a/*/c.pdf',
    '**/*.pdf',
    'a/**/b/**/c.pdf',
    '?.pdf',
    'a*c.pdf',
  ],
  ...[
    '[ab].pdf',
    '[!a].pdf',
    '[a-c]*.pdf',
    '{a,b}.pdf',
    '*.{pdf,doc}',
    '{a,b/c}/*.pdf',
    'a/**/{b,{c,d}}.pdf',
    '{a}.pdf',
    'a[.pdf',
  ],
  ...['**/a/**', 'a/**/**/c.pdf', '*.*', '.*', '**/.*', 'draft*/**', 'a', 'a/b', '*a*b*'],
]
const paths = [
  ...[
    'a.pdf',
    'b.pdf',
    'c.pdf',
    'a/b.pdf',
    'a/b/c.pdf',
    'a/c.pdf',
    'a/x/y/b/z/c.pdf',
    'b/c/a.pdf',
    'a/d.pdf',
    'x.doc',
    'abc.pdf',
  ],
  ...[
    '.env',
    'a/.env',
    '.git/config',
    '.a/b.pdf',
    'a/.b/c.pdf',
    'drafts/one.txt',
    'a',
    'a/b',
    '{a}.pdf',
    'a[.pdf',
    'xaxxbx',
  ],
]

describe('a glob', () => {
  it.each(patterns)('%s fits the same paths as one of Node', (pattern) => {
    const fits = readGlob(pattern)
    expect(paths.filter(fits)).toEqual(paths.filter((path) => matchesGlob(path, pattern)))
  })

  it.each([
    ['many stars', `${'*a'.repeat(200)}*b`, 'a'.repeat(2000)],
    ['many braces', '{a,b}'.repeat(100), 'a'.repeat(99)],
    ['a long range', '{1..9999999999}', 'x'],
    ['many folders', `${'**/a/'.repeat(90)}b`, 'a/'.repeat(900)],
    ['many classes', `*${'[ab]'.repeat(60)}*c`, 'a'.repeat(2000)],
  ])('with %s compares in a short time', (_, pattern, path) => {
    const begin = performance.now()
    expect(readGlob(pattern)(path)).toBe(false)
    expect(performance.now() - begin).toBeLessThan(200)
  })
})
