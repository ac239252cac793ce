import { describe, expect, it } from 'vitest'
import { talk } from '#tests/built-in-talk.ts'

const rows = ['| Name | Note |', '| --- | --- |', '| Ada | reads, writes |'].join('\n')

describe('the built-in model with a text', () => {
  it.each([
    [
      'Outline this text:\n# One\ntext\n## Two\nmore\n# Three',
      'The outline of the text:\n\n- One\n  - Two\n- Three',
    ],
    [
      'Fais un plan de ce texte :\nL’argent compte. Beaucoup.\n\nLe temps file. Vite.',
      'Le plan du texte\u00a0:\n\n1. L’argent compte\n2. Le temps file',
    ],
    [
      'The lake is deep. The fish swim far.\nCount the words in this text.',
      'The text has **8 words**, 36 characters (29 without spaces), 2 sentences and 1 line.',
    ],
    ['Sort these lines:\npear\nfig 10\nfig 2', '- fig 2\n- fig 10\n- pear'],
    ['Sort these names in reverse order:\nAda\nBob', '- Bob\n- Ada'],
    ['Trie ces lignes :\npoire\nÉpinard\nabricot', '- abricot\n- Épinard\n- poire'],
    [
      'List all URLs in this text:\nSee https://example.com/a?b=1 and www.test.org.',
      '- https://example.com/a?b=1\n- www.test.org',
    ],
    [
      'Find the phone numbers: Call +33 1 23 45 67 89 or 06 12 34 56 78, room 12, 2026-11-21.',
      '- +33 1 23 45 67 89\n- 06 12 34 56 78',
    ],
    [
      'Extract the dates:\nOn 3 March 2026, on 2026-04-05 and on 4/5/2026. Maybe May 3rd, 2027.',
      '- 3 March 2026\n- 2026-04-05\n- 4/5/2026\n- May 3rd, 2027',
    ],
    ['Relève les dates :\nLe 3 mars 2026 et le 1er avril.', '- 3 mars 2026\n- 1er avril'],
    [
      'Which amounts are in this text?\nRent is €1,250.50, deposit 3 000 € and 45 USD.',
      '- €1,250.50\n- 3 000 €\n- 45 USD',
    ],
    ['Liste les liens :\nRien ici.', 'Il n’y en a pas dans ce texte.'],
    ['Summarise this', 'Put the text behind the instruction, in the same message.'],
    [`Convert this table to CSV:\n${rows}`, '```csv\nName,Note\nAda,"reads, writes"\n```'],
    [`Convertis ce tableau en CSV :\n${rows}`, '```csv\nName;Note\nAda;reads, writes\n```'],
    [`Turn this CSV into a Markdown table:\nName,Note\nAda,"reads, writes"`, rows],
    ['Make a table:\nName\tNote\nAda\treads, writes', rows],
    ['Mets ceci dans un tableau :\nName;Note\nAda;"reads, writes"', rows],
    ['Convert this to CSV:\nName\tNote\nAda\tsays "no"', '```csv\nName,Note\nAda,says no\n```'],
    ['Put this in a table: Name, Note; Ada, reads', '| Name | Note |\n| --- | --- |\n| Ada | reads |'],
  ])('answers %j', async (asked, answer) => {
    expect((await talk(asked)).text).toBe(answer)
  })

  it('neither splits a text at “then” nor calculates its sums', async () => {
    const { text, calls } = await talk('Summarise: He added 2 + 3, then he left. She stayed; it rained.')
    expect(calls).toBe(0)
    expect(text).toContain('- He added 2 + 3, then he left.')
  })
})
