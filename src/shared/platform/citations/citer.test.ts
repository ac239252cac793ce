import { describe, expect, it } from 'vitest'
import { citationTag, findCitations, websourceTag, withoutCitations } from './citation-tags.ts'
import { createCiter } from './citer.ts'

const ids = Array.from({ length: 5 }, (_, at) => `0000000${at}-0000-4000-8000-000000000000`)
const [a = '', b = '', c = ''] = ids
const tag = citationTag

function cite(answer: string, size = answer.length): string {
  const citer = createCiter(ids)
  let shown = ''
  for (let at = 0; at < answer.length; at += size) shown += citer.push(answer.slice(at, at + size))
  return shown + citer.end()
}

describe('createCiter', () => {
  it.each([
    [
      'numbers as they appear',
      'Two [2], one [1], two [2].',
      `Two ${tag(b, 1)}, one ${tag(a, 2)}, two ${tag(b, 1)}.`,
    ],
    [
      'several at once',
      'All [1, 3] [2-3][1].',
      `All ${tag(a, 1)}${tag(c, 2)} ${tag(b, 3)}${tag(c, 2)}${tag(a, 1)}.`,
    ],
    [
      'other brackets',
      'So【2†page 4】 and [^1] and [Source 3].',
      `So${tag(b, 1)} and ${tag(a, 2)} and ${tag(c, 3)}.`,
    ],
    [
      'digits and separators of other scripts',
      'So [٢، ١] and [३] and [２〜３].',
      `So ${tag(b, 1)}${tag(a, 2)} and ${tag(c, 3)} and ${tag(b, 1)}${tag(c, 3)}.`,
    ],
    [
      'words for a source in other languages',
      'So [источник 2, с. 4] and 【来源1】 and （出典：3） and (fonte 2) and [źródło 1 i 3].',
      `So ${tag(b, 1)} and ${tag(a, 2)} and ${tag(c, 3)} and ${tag(b, 1)} and ${tag(a, 2)}${tag(c, 3)}.`,
    ],
    ['tags', `It is so <citation chunk="${b}">[7]</citation>.`, `It is so ${tag(b, 1)}.`],
    [
      'tags of any form',
      `So <CITATION id='${b}'>1</citation> and <citation chunk="${a}"> it is.`,
      `So ${tag(b, 1)} and ${tag(a, 2)} it is.`,
    ],
    [
      'none that was not given',
      'It is so [9], [0] and <citation chunk="x">[1]</citation>.',
      'It is so, and.',
    ],
    [
      'none for an id that was made up',
      `So <citation chunk="99999999-0000-4000-8000-000000000000">[1]</citation>.`,
      'So.',
    ],
    ['no end without a beginning', 'So it is</citation>.', 'So it is.'],
    ['known ones of a list', 'It is so [1, 9].', `It is so ${tag(a, 1)}.`],
  ])('reads markers: %s', (_, said, shown) => {
    expect(cite(said)).toBe(shown)
  })

  it.each([
    'A link [lease](https://example.com) and [note.pdf](/documents/1), 308 m² (about 3,315 square feet²) and 10<sup>2</sup>',
    'R&D, a \\[x\\] and &#91;x&#93;, (source unknown), († 1945) and a Ref. in [Paris 2]',
    'The year [2024], a list [a, b], [ ] and [x] to do',
    'Code `a[1]` and ``b ` [2]`` stay, as\n\n```js\na[1] = b[2] // [3]\n```\n\nand ~~~ too',
    '~~~\nx[1]\n~~~',
    'a < b, <cite> and <c',
    'It ends with [1',
    'It ends with <citation',
  ])('finds no markers in %j', (text) => {
    expect(cite(text)).toBe(text)
  })

  it.each([
    '[Source N, page 3]',
    '[doc-N]',
    '［N］',
    '\\[N\\]',
    '&#91;N&#93;',
    '&lbrack;N&rbrack;',
    '[N](https://example.com/a_(b))',
    '[N](#ref-x)',
    '[[N]]',
    '[^N]',
    '[citation:N]',
    '【N:0†source】',
    '(Source N, page 3)',
    '[Quelle N, Seite 4]',
    '[réf. N, p. 4]',
    '<sup>N</sup>',
    '[N†]',
    ...['「N」', '\\cite{N}', '[^N^]', '[*N*]', '[N.]', '[see N]', '[vgl. N]', '[Snippet N]', '[Beleg N]'],
    ...[
      '[chunk_id: N]',
      '[web:N]',
      '[N (page 4)]',
      '[Source N (p. 3)]',
      '[doc N - page 3]',
      '(cf. Source N, p. 4)',
    ],
    ...['[Fuente nº N]', '[Contexte N]', '[nota N]', '[voir N]', '[N，N]', '[ N,  N ]', '[N|N]', '[`N`]'],
  ])('in a foreign notation name their passage or are left out: %j', (marker) => {
    const said = (number: number) => `It is so ${marker.replaceAll('N', String(number))}.`
    for (const size of [1, 2, 3, 5, 9, 1_000]) {
      expect(cite(said(2), size)).toMatch(
        new RegExp(`^It is so ?${tag(b, 1).replaceAll(/[[\]]/g, '\\$&')}\\.$`),
      )
      expect(cite(said(17), size)).toBe('It is so.')
    }
    expect(cite(`It is so [${b}].`)).toBe(`It is so ${tag(b, 1)}.`)
  })

  it('in full-width or circled digits name their passage', () => {
    for (const marker of ['［２］', '[②]', '【２】'])
      expect(cite(`It is so ${marker}.`)).toBe(`It is so ${tag(b, 1)}.`)
    expect(cite('It is so ［１７］ and 【turn0search2】.')).toBe('It is so and.')
  })

  it('as footnote signs name their passage and are never shown', () => {
    for (const size of [1, 2, 3, 1_000]) {
      expect(cite('The flat is large.² It is warm<sup>1</sup> and dry.†', size)).toBe(
        `The flat is large.${tag(b, 1)} It is warm${tag(a, 2)} and dry.`,
      )
      expect(
        cite('It is warm.⁹ It is \uE200cite\uE202turn0\uE201 dry [page 3], [lease.pdf, p. 4].', size),
      ).toBe('It is warm. It is dry,.')
    }
  })

  it('are the same however the answer is cut, and never show half', () => {
    const answer = [
      `First [2]. Then 【1】, <citation chunk="${c}">[3]</citation> and [9].`,
      '`x[1]` [Source 4]; a link [x](https://e.com), [1](https://e.com), [2, 3–5] and <b>bold</b> ~~gone~~ [12',
      '```\ncode [1]\n```\nend [1]',
    ].join('\n')
    const whole = cite(answer)
    for (let size = 1; size <= 40; size += 1) expect(cite(answer, size)).toBe(whole)
    const citer = createCiter(ids)
    for (const letter of answer) expect(citer.push(letter)).not.toMatch(/<citation[^>]*$/)
  })

  it('cites pages by number or address and drops unknown ones at any split [WE-09]', () => {
    const pages = ['https://a.example/x', 'https://b.example/y?z=1']
    const tagOf = (url: string, number: number) => websourceTag(url, 'T', number)
    const answer = `Two <websource url="${pages[1]}" title="Anything">[9]</websource>, one [1], none <websource url="https://evil.example/">[1]</websource>, [3].`
    const shown = `Two ${tagOf(pages[1]!, 1)}, one ${tagOf(pages[0]!, 2)}, none,.`
    for (const size of [1, 2, 3, 7, 20, 1_000]) {
      const citer = createCiter(pages, { tag: tagOf })
      let said = ''
      for (let at = 0; at < answer.length; at += size) said += citer.push(answer.slice(at, at + size))
      expect(said + citer.end()).toBe(shown)
    }
  })

  it('writes markers that can be found in the stored answer', () => {
    const stored = cite('Two [2] and one [1].')
    expect(findCitations(stored).map(({ chunk_id, number }) => [chunk_id, number])).toEqual([
      [b, 1],
      [a, 2],
    ])
    expect(withoutCitations(stored)).toBe('Two and one.')
  })

  it('reads markers in linear time', () => {
    const began = performance.now()
    cite('[<`~ '.repeat(20_000), 7)
    cite(' ['.repeat(50_000), 11)
    expect(performance.now() - began).toBeLessThan(3_000)
  })
})
