import { expect, it } from 'vitest'
import { snippetOf, type Wanted } from './snippet-text.ts'

const wanted: Wanted = {
  ...{ place: 'bubble', title: 'Buyer', language: 'page', theme: 'page' },
  ...{ showsSources: true, showsStarters: true },
}
const of = (changes: Partial<Wanted>) =>
  snippetOf({ ...wanted, ...changes }, 'emb_1', 'https://atrium.example')

it('a bubble snippet lists only settings that differ from the defaults', () => {
  expect(of({})).toBe(
    '<script src="https://atrium.example/embed.js" async\n  data-token="emb_1" data-place="bubble" data-title="Buyer"></script>',
  )
  expect(
    of({ language: 'fr', theme: 'dark', showsSources: false, showsStarters: false, title: ' ' }),
  ).toContain(
    'data-token="emb_1" data-place="bubble" data-lang="fr" data-theme="dark" data-sources="off" data-starters="off"',
  )
})

it('a title cannot end an attribute', () => {
  expect(of({ title: '"><script>' })).toContain('data-title="&quot;&gt;&lt;script&gt;"')
  expect(of({ place: 'frame', title: '"&<' })).toContain('title="&quot;&amp;&lt;"')
})

it('the extension gets only the address', () => {
  expect(of({ place: 'extension', language: 'en' })).toBe(
    'https://atrium.example/embed?authToken=emb_1&lang=en',
  )
})
