import { describe, expect, it } from 'vitest'
import { MaskKind } from '#shared/models/masking/masking.ts'
import { makeLabelled, seeded } from '#tests/masking/labelled.ts'
import type { ModelCall, ModelPart } from '../../models/port.ts'
import { addValues, createMapping, type MaskedValue } from './mapping.ts'
import { findInCall, maskCall, valuesOf } from './mask-call.ts'
import { restore } from './placeholders.ts'
import { restoreAnswer } from './restore-answer.ts'

type Call = Omit<ModelCall, 'model'>
const all = new Set(MaskKind.options)

const callOf = (...texts: string[]): Call => ({
  messages: texts.map((text) => ({ role: 'user', content: [{ type: 'text', text }] })),
  tools: [],
  tool_choice: 'none',
})

async function mask(call: Call, known: readonly MaskedValue[] = []) {
  const spots = await findInCall(call, all)
  const values = addValues(known, valuesOf(spots))
  return { ...maskCall(call, spots, values, all), values, lookup: createMapping(values).lookup }
}

const userTexts = ({ messages }: Call) =>
  messages.flatMap((message) =>
    message.role === 'user'
      ? message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      : [],
  )

/** Restores a text that arrives in the given pieces. */
function restorePieces(
  pieces: string[],
  lookup: Parameters<typeof restoreAnswer>[0],
  isJson = false,
): string {
  const parts: ModelPart[] = []
  const { take } = restoreAnswer(lookup, { isJson }, (part) => parts.push(part))
  for (const text of pieces) take({ type: 'text', text })
  take({ type: 'finish', reason: 'stop' })
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

describe('a masked call', () => {
  it('gives the same value the same placeholder in every text, and later in the chat', async () => {
    const first = await mask(callOf('Write to Marie Dupont.', 'Marie Dupont, marie@example.org'))
    expect(userTexts(first.call)).toEqual(['Write to [PERSON_1].', '[PERSON_1], [EMAIL_1]'])
    const second = await mask(callOf('Tom Ridley knows Marie Dupont.'), first.values)
    expect(userTexts(second.call)).toEqual(['[PERSON_2] knows [PERSON_1].'])
  })

  it('replaces known values where no rule would find them', async () => {
    const first = await mask(callOf('Nom : Zyxwa'))
    const second = await mask(callOf('why zyxwa? ask Zyxwa about it'), first.values)
    expect(userTexts(second.call)).toEqual(['why zyxwa? ask [PERSON_1] about it'])
  })

  it('masks names of files', async () => {
    const file = {
      type: 'file' as const,
      media_type: 'image/png',
      name: 'CV Marie Dupont.png',
      data_base64: '',
    }
    const shown = { type: 'tool-result' as const, id: '1', name: 'view', output: '', is_error: false }
    const { call } = await mask({
      ...callOf('Go'),
      messages: [
        { role: 'user', content: [file] },
        { role: 'tool', content: [{ ...shown, pictures: [file] }] },
      ],
    })
    expect(JSON.stringify(call).match(/CV \[PERSON_1\]\.png/g)).toHaveLength(2)
  })

  it('leaves names inside longer words alone', async () => {
    const { call } = await mask(callOf('Anna wrote. Annapurna is high.'))
    expect(userTexts(call)).toEqual(['[PERSON_1] wrote. Annapurna is high.'])
  })

  it('masks arguments and results of tools as JSON, and thoughts', async () => {
    const call: Call = {
      ...callOf('Go'),
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Marie Dupont asks.' },
            {
              type: 'tool-call',
              id: '1',
              name: 'send',
              input: '{"to":"marie@example.org","at":"12 rue de la Paix,\\n75002 Paris"}',
            },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', id: '1', name: 'send', output: 'Sent to Marie Dupont', is_error: false },
          ],
        },
      ],
    }
    const masked = await mask(call)
    const sent = JSON.stringify(masked.call.messages)
    expect(sent).not.toMatch(/Marie|Dupont|rue de la Paix|75002/)
    expect(masked.values.find(({ kind }) => kind === 'address')?.value).toMatch(
      /^12 rue de la Paix, ?\n75002 Paris$/,
    )
  })

  const thought = (text: string, thinking: string) => ({
    type: 'reasoning' as const,
    ...{ text, metadata: { block: { thinking, signature: 'aGVsbG8gbWFyaWUgZHVwb250' } } },
  })

  it('masks names that JSON writes with escapes', async () => {
    const output = JSON.stringify({ id: 7, note: 'Écrire à Mme Zoé Lefèvre.', to: 'André Müller' }).replace(
      /[^ -~]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    expect(output).toContain('Zo\\u00e9')
    const result = { type: 'tool-result' as const, id: '1', name: 'read', output, is_error: false }
    const { call, values } = await mask({ ...callOf('Go'), messages: [{ role: 'tool', content: [result] }] })
    expect(JSON.stringify(call)).not.toMatch(/Lef|Zo|Andr|ller/)
    expect(values.map(({ value }) => value)).toEqual(['Zoé Lefèvre', 'André Müller'])
  })

  it('leaves out signed thoughts with details, and keeps those with placeholders', async () => {
    const written = 'Write to Marie Dupont.'
    const content = [thought('Hm.', written), thought(written, 'Write to [PERSON_1].')]
    const { call } = await mask({ ...callOf('Go'), messages: [{ role: 'assistant', content }] })
    expect(call.messages[1]?.content).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { ...content[1], text: 'Write to [PERSON_1].' },
    ])
  })

  it('leaves out signed thoughts with known values that no rule would find', async () => {
    const { values } = await mask(callOf('Nom : Zyxwa'))
    const content = [thought('Hm.', 'ask Zyxwa about it')]
    const { call } = await mask({ ...callOf('Go'), messages: [{ role: 'assistant', content }] }, values)
    expect(JSON.stringify(call)).not.toContain('Zyxwa')
  })

  it('leaves out signed thoughts of a copied chat whose placeholders stand for others', async () => {
    const messages: Call['messages'] = [
      { role: 'assistant', content: [thought('Ask Marie Dupont.', 'Ask [PERSON_1].')] },
    ]
    const { values } = await mask(callOf('I am Tom Ridley.'))
    const { call } = await mask({ ...callOf('Go'), messages }, values)
    expect(call.messages[1]?.content).toEqual([{ type: 'reasoning', text: 'Ask [PERSON_2].' }])
  })

  it('tells the model about placeholders at the end of its instructions', async () => {
    const { call } = await mask({ ...callOf('Hi'), messages: [{ role: 'system', content: 'Be brief.' }] })
    expect(call.messages[0]?.content).toMatch(/^Be brief\.\n\nSome personal details/)
  })
})

describe('a text that looks like a placeholder', () => {
  it('is replaced itself, and comes back as it was', async () => {
    const text = 'Explain [PERSON_1] and PERSON_2 to Marie Dupont.'
    const { call, lookup } = await mask(callOf(text))
    const [sent = ''] = userTexts(call)
    expect(sent).toBe('Explain [TEXT_1] and [TEXT_2] to [PERSON_1].')
    expect(restore(sent, lookup)).toBe(text)
  })

  it('stays when it stands for nothing', () => {
    expect(restore('[PERSON_7] [IBAN_99] [NOTE_1] PERSON_', () => null)).toBe(
      '[PERSON_7] [IBAN_99] [NOTE_1] PERSON_',
    )
  })
})

describe('an answer', () => {
  const lookup = createMapping([
    { kind: 'person', number: 1, value: 'Marie Dupont' },
    { kind: 'person', number: 12, value: 'Tom "T" Ridley' },
    { kind: 'address', number: 1, value: '12 rue de la Paix\n75002 Paris' },
    { kind: 'identity', number: 1, value: '512-44-9087' },
    { kind: 'birth', number: 1, value: '14 May 1990' },
  ]).lookup

  it.each([
    ['Dear [PERSON_1],', 'Dear Marie Dupont,'],
    ['**[PERSON_1]**’s _[Person_1]_', '**Marie Dupont**’s _Marie Dupont_'],
    ['`[PERSON_1]` \\[PERSON\\_1\\]', '`Marie Dupont` Marie Dupont'],
    ['[ PERSON_1 ] and [PERSON 1] and PERSON_1', 'Marie Dupont and Marie Dupont and Marie Dupont'],
    ['« [PERSON_1] » : [person_1] !', '« Marie Dupont » : Marie Dupont !'],
    ['[ID_NUMBER_1], [BIRTH_DATE_1], [Birth Date_1]', '512-44-9087, 14 May 1990, 14 May 1990'],
    ['https://a.example/?q=%5BPERSON_1%5D', 'https://a.example/?q=Marie%20Dupont'],
    ['[PERSON_12][PERSON_1]', 'Tom "T" RidleyMarie Dupont'],
    ['[PERSON_123] [PERSONAL_1] a[1] [x]', '[PERSON_123] [PERSONAL_1] a[1] [x]'],
  ])('restores “%s”, whatever its pieces are', (written, restored) => {
    expect(restorePieces([written], lookup)).toBe(restored)
    expect(restorePieces([...written], lookup)).toBe(restored)
  })

  it('escapes values in arguments of tools and in structured output', () => {
    const parts: ModelPart[] = []
    const { take } = restoreAnswer(lookup, { isJson: false }, (part) => parts.push(part))
    take({ type: 'tool-call', id: '1', name: 'send', input: '{"to":"[PERSON_12]","at":"[ADDRESS_1]"}' })
    expect(JSON.parse((parts[0] as { input: string }).input)).toEqual({
      to: 'Tom "T" Ridley',
      at: '12 rue de la Paix\n75002 Paris',
    })
    expect(JSON.parse(restorePieces([...'{"a":"[ADDRESS_1]"}'], lookup, true))).toEqual({
      a: '12 rue de la Paix\n75002 Paris',
    })
  })

  it('keeps metadata of thoughts, after the thought that it ends', () => {
    const parts: ModelPart[] = []
    const { take } = restoreAnswer(lookup, { isJson: false }, (part) => parts.push(part))
    take({ type: 'reasoning', text: 'ask [PERS', metadata: { field: 'a' } })
    take({ type: 'reasoning', text: 'ON_1] [P', metadata: { field: 'a' } })
    take({ type: 'reasoning', text: '', metadata: { signature: 'b' } })
    expect(parts).toEqual([
      { type: 'reasoning', text: 'ask ', metadata: { field: 'a' } },
      { type: 'reasoning', text: 'Marie Dupont ', metadata: { field: 'a' } },
      { type: 'reasoning', text: '[P' },
      { type: 'reasoning', text: '', metadata: { signature: 'b' } },
    ])
  })

  it('gives thoughts and text in their order, and nothing before a call that belongs after it', () => {
    const given: string[] = []
    const { take } = restoreAnswer(lookup, { isJson: false }, (part) =>
      given.push('text' in part ? `${part.type} ${part.text}` : part.type),
    )
    take({ type: 'reasoning', text: 'ask [PER' })
    take({ type: 'reasoning', text: 'SON_1] [' })
    take({ type: 'text', text: 'Hello [PERSON_1' })
    take({ type: 'tool-call', id: '1', name: 'a', input: '{}' })
    take({ type: 'text', text: '[PERS' })
    take({ type: 'rethought' })
    take({ type: 'finish', reason: 'stop' })
    expect(given).toEqual([
      ...['reasoning ask ', 'reasoning Marie Dupont ', 'reasoning [', 'text Hello ', 'text Marie Dupont'],
      ...['tool-call', 'text [PERS', 'rethought', 'finish'],
    ])
  })
})

describe('an answer that breaks off', () => {
  const given = (...pieces: string[]) => {
    const parts: ModelPart[] = []
    const { take, end } = restoreAnswer(
      () => null,
      { isJson: false },
      (part) => parts.push(part),
    )
    for (const text of pieces) take({ type: 'text', text })
    end()
    return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  }

  it('keeps its last word, which may begin a placeholder', () => {
    expect(given('It is in the ', 'text')).toBe('It is in the text')
  })

  it('says nothing when all of it may begin a placeholder', () => {
    expect(given('text')).toBe('')
  })
})

describe('what was masked', () => {
  it('is restored in every text of the labelled set, in random pieces', async () => {
    let texts = 0
    for (const language of ['en', 'fr', 'de'] as const)
      for (const { text } of makeLabelled(language, 'seen')) {
        const next = seeded(text)
        const { call, lookup } = await mask(callOf(text))
        const [sent = ''] = userTexts(call)
        const pieces: string[] = []
        for (let at = 0; at < sent.length; ) {
          const length = 1 + next(9)
          pieces.push(sent.slice(at, at + length))
          at += length
        }
        expect(restorePieces(pieces, lookup)).toBe(text)
        texts++
      }
    expect(texts).toBeGreaterThan(700)
  })
})
