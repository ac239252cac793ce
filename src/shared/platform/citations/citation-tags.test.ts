import { describe, expect, it } from 'vitest'
import {
  beginsTag,
  citationTag,
  findCitations,
  findMarkers,
  plainCitations,
  readTag,
  replaceCitations,
  websourceTag,
  withoutCitations,
  withoutCutCitations,
} from './citation-tags.ts'

const id = '00000000-0000-4000-8000-000000000000'
const tag = citationTag(id, 1)
const url = 'https://example.com/a?b=c&d=1'
const page = websourceTag(url, 'The "best" <b>page</b>', 2)

describe('stored answer', () => {
  it('drops its markers and the space before them', () => {
    expect(withoutCitations(`Two ${tag}${tag}, and one ${tag}.`)).toBe('Two, and one.')
  })

  it('replaces its markers with another text', () => {
    expect(replaceCitations(`Two ${tag}.`, (chunk) => `[${chunk === id ? 7 : 0}]`)).toBe('Two [7].')
  })

  it.each([tag, page])('hides every part of the marker %s at any cut', (marker) => {
    const text = `Before ${marker} after`
    const from = text.indexOf('<')
    for (let at = from + 1; at <= from + marker.length; at += 1) {
      expect(withoutCutCitations(text.slice(0, at)).trimEnd()).toBe('Before')
      if (at < from + marker.length - 1) expect(withoutCutCitations(text.slice(at)).trimStart()).toBe('after')
    }
  })

  it('accepts only the fixed forms of passage and page markers', () => {
    expect(tag).toBe(`<citation chunk="${id}">[1]</citation>`)
    expect(page).toBe(`<websource url="${url}" title="The best b page /b">[2]</websource>`)
    const text = `One ${tag}, two ${page}.`
    expect(findMarkers(text).map(({ id, title, number }) => [id, title, number])).toEqual([
      [id, null, 1],
      [url, 'The best b page /b', 2],
    ])
    expect(findCitations(text)).toHaveLength(1)
    expect([withoutCitations(text), plainCitations(text)]).toEqual(['One, two.', 'One [1], two [2].'])
    expect(replaceCitations(text, () => 'x')).toBe(`One x, two ${page}.`)
    for (const marker of [tag, page]) {
      expect(readTag(marker)).not.toBeNull()
      for (let at = 1; at < marker.length; at += 1) expect(beginsTag(marker.slice(0, at))).toBe(true)
    }
    const near = [
      ...[
        `<websource url="javascript:alert(1)" title="x">[1]</websource>`,
        `${tag} `,
        '<websource>[1]</websource>',
      ],
      ...[`<websource url="${url}">[1]</websource>`, `<websource title="x" url="${url}">[1]</websource>`],
      ...[
        `<websource url="${url}" title="x">1</websource>`,
        `<Websource url="${url}" title="x">[1]</Websource>`,
      ],
    ]
    for (const text of near) expect(readTag(text)).toBeNull()
    for (const text of ['<wb', '<website>', '<websource x', '<b', 'a <']) expect(beginsTag(text)).toBe(false)
  })

  it.each(['a < b and c > d', 'a <b>bold</b> word', 'x[1] > y', 'no on> way', 'It costs 3 <'])(
    'keeps %j, except a trailing character that may begin a marker',
    (text) => {
      expect(withoutCutCitations(text)).toBe(text.replace(/ <$/, ''))
    },
  )
})
