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

  it.each([
    'The rent is due on the first day (N).',
    'The tenant pays for heating (N)!',
    'It is so, says the lease. (N)',
    'The deposit is 900 euros (N); the keys are three.',
    'The tenant may not sublet the flat {N}.',
    'The tenant may not sublet the flat N.'.replace('N', '{N}\n- more'),
    'Le loyer est de 900 € par mois (N).',
    'Die Miete beträgt 900 Euro (N).',
    'Der Mieter zahlt die Grundsteuer (N).',
    'El inquilino paga la luz (N).',
    '房租每月九百欧元（N）。',
  ])('read a bare number that ends a statement: %j', (text) => {
    const said = (number: number) => text.replace('N', String(number))
    const plain = text.replace(/\s?[({（]N[)}）]/, '|')
    for (const size of [1, 2, 3, 7, 1_000]) {
      const shown = cite(said(2), size)
      expect(shown.replace(/\s?<citation.*<\/citation>/, '|')).toBe(plain)
      expect(shown).toContain(tag(b, 1))
      // Passage 17 was not given: the number says something else.
      expect(cite(said(17), size)).toBe(said(17))
    }
  })

  it('read circled digits and several bare numbers at the end of a statement', () => {
    for (const size of [1, 2, 5, 1_000]) {
      expect(cite('The lease names the price ②.', size)).toBe(`The lease names the price ${tag(b, 1)}.`)
      expect(cite('The lease names the price (2)(1).', size)).toBe(
        `The lease names the price ${tag(b, 1)}${tag(a, 2)}.`,
      )
      expect(cite('The keys were handed over (1). The city is Paris (2).', size)).toBe(
        `The keys were handed over ${tag(a, 1)}. The city is Paris ${tag(b, 2)}.`,
      )
    }
  })

  it.each([
    'There are three duties: (1) to pay, (2) to clean and (3) to leave.',
    'The parties are the owner (1), the tenant (2) and the agent (3).',
    '(1) Pay the rent.\n(2) Clean the flat.\n{3} Leave.',
    '① Pay the rent.\n② Clean the flat.',
    'Pay the rent on time. (1) Clean the flat every week. (2) Leave.',
    'The value of the function is f(3). It equals g(2).',
    'The term lasts three (3) years and the flat has rooms, namely three (3).',
    'The answer follows from equation (2).',
    'This is stated in section (3).',
    'Das regelt der Absatz (2).',
    'Cela figure à l’alinéa (3).',
    'As we saw above in (2).',
    'This holds for (1) and (2).',
    'The lease was signed a long time ago (1999).',
    'She lives there with her daughter Anna (3).',
    'The oxide contains iron, that is Fe (3).',
    'The set of all pairs is $x_{2}$ and $\\frac{1}{2}$.',
    'A row of x^{3}, a {2} b and {1, 2, 3}.',
    'Apples (3), pears (2) and plums (1)',
    'They won the last match by five goals to one (1) and left.',
    'Results: (3)',
    'Yes (1).',
    'The tenant pays `(1)`.',
    '| rooms | (3) |',
    'There were a few problems (2) with the heating.',
    'The temperature is below zero (3)°.',
    'The lease is long (3).5 is the mean.',
    'Version one was the best (v2).',
    'The number of the flat is twelve (12).',
  ])('keep a bare number that means something else: %j', (text) => {
    for (const size of [1, 3, 1_000]) expect(cite(text, size)).toBe(text)
  })

  it('keep bare numbers as text in an answer that cites in brackets', () => {
    const text = 'There are errors of the third kind (2).'
    expect(cite(`It is so [1]. ${text}`)).toBe(`It is so ${tag(a, 1)}. ${text}`)
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
