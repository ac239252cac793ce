import { expect, it } from 'vitest'
import { elementsOf, parseElements, textOf } from './source-requests.ts'

it('gives others turns while it parses a long list', async () => {
  const one =
    '<d:response><d:href>/a%20b/c.txt</d:href><d:prop><d:getetag>&quot;1&quot;</d:getetag></d:prop></d:response>'
  const xml = `<d:multistatus xmlns:d="DAV:">${one.repeat(200_000)}</d:multistatus>`
  let turns = 0
  const ticking = setInterval(() => {
    turns += 1
  }, 1)
  const root = await parseElements(xml, 'host')
  clearInterval(ticking)
  expect(turns).toBeGreaterThan(10)
  const all = elementsOf(root, 'response')
  expect([all.length, textOf(all[0]!, 'getetag')]).toEqual([200_000, '"1"'])
})

it.each([
  ['entities that stand for each other', '<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><x>&b;</x>'],
  ['an external entity', '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'],
  ['an unclosed element', '<x><y></x>'],
  ['many levels', '<x>'.repeat(100)],
])('refuses a list with %s', async (_, xml) => {
  await expect(parseElements(xml, 'host')).rejects.toMatchObject({ code: 'unavailable' })
})
