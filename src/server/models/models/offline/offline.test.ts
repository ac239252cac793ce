import { describe, expect, it } from 'vitest'
import { writeHandover } from '../handover.ts'
import type { ModelCall, ModelMessage, ModelPart } from '../port.ts'
import { createOfflineModel } from './offline.ts'

const offlineModel = createOfflineModel({ now: () => new Date('2026-11-22T14:05:00Z') })

const calculator = { name: 'calculator', description: '', input_schema: {} }
const weather = { name: 'weather', description: '', input_schema: {} }

async function ask(
  text: string,
  { after = [], ...options }: Partial<ModelCall> & { after?: ModelMessage[] } = {},
) {
  const call: ModelCall = {
    model: 'offline',
    messages: [{ role: 'user', content: [{ type: 'text', text }] }, ...after],
    tools: [calculator],
    tool_choice: 'auto',
    language: 'en',
    ...options,
  }
  const parts: ModelPart[] = []
  await offlineModel(call, new AbortController().signal, (part) => parts.push(part))
  const called = parts.find((part) => part.type === 'tool-call')
  return {
    text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
    input: called ? (JSON.parse(called.input) as unknown) : null,
    parts,
  }
}

const result = (value: string, is_error = false): ModelMessage => ({
  role: 'tool',
  content: [
    {
      type: 'tool-result',
      id: '1',
      name: 'calculator',
      output: is_error ? value : JSON.stringify({ result: value }),
      is_error,
    },
  ],
})

describe('the built-in model', () => {
  it.each([
    ['What is 21 * 2?', { a: 21, b: 2, operation: 'multiply' }],
    ['Combien font 1 250,5 divisé par 2 ?', { a: 1250.5, b: 2, operation: 'divide' }],
    ['13456 + 1', { a: 13456, b: 1, operation: 'add' }],
    ['7 minus 10', { a: 7, b: 10, operation: 'subtract' }],
    ['Calcule (3 + 4) × 2', { a: 3, b: 4, operation: 'add' }],
    // The percentage is parsed, so one call is enough.
    ['What is 15 % of 240?', { a: 0.15, b: 240, operation: 'multiply' }],
  ])('calls the calculator for %j', async (text, input) => {
    expect((await ask(text)).input).toEqual(input)
  })

  it('performs one operation after the other with the earlier results', async () => {
    const second = await ask('Calculate (3 + 4) * 2', { after: [result('7')] })
    expect(second.input).toEqual({ a: 7, b: 2, operation: 'multiply' })
    const end = await ask('Calculate (3 + 4) * 2', { after: [result('7'), result('14')] })
    expect(end.text).toBe('- 3 + 4 = **7**\n- 7 × 2 = **14**')
  })

  it('answers with the result in the language of the user', async () => {
    expect((await ask('What is 21 * 2?', { after: [result('42')] })).text).toBe('21 × 2 = **42**.')
    expect((await ask('2 / 3', { after: [result('0.66666666666666666666666666666666666667')] })).text).toBe(
      '2 ÷ 3 ≈ **0.666666666667**.',
    )
    expect((await ask('5 / 2', { after: [result('2.5')], language: 'fr' })).text).toBe('5 ÷ 2 = **2,5**.')
  })

  it('reports that a tool failed', async () => {
    expect((await ask('5 / 0', { after: [result('Division by zero', true)] })).text).toContain(
      'Division by zero',
    )
  })

  it.each(['On 2026-11-21 we met.', 'Meet at 10:30', 'Call +33 1 23'])(
    'finds no arithmetic in %j',
    async (text) => {
      const { input, text: answer } = await ask(text)
      expect(input).toBeNull()
      expect(answer).toContain('[Models](/admin/models)')
    },
  )

  it('calls a required tool', async () => {
    const tools = [
      { name: 'lookup', description: '', input_schema: { properties: { query: { type: 'string' } } } },
    ]
    expect((await ask('Paris', { tools, tool_choice: { name: 'lookup' } })).input).toEqual({ query: 'Paris' })
  })

  it('summarizes with sentences of the text', async () => {
    const text =
      'The archive holds letters. Letters of the archive were written by hand. It rained. Letters in the archive are read by many. A dog barked.'
    const { text: summary } = await ask(`Summarise: ${text}`)
    const sentences = summary
      .split('\n')
      .filter((line) => line.startsWith('- '))
      .map((line) => line.slice(2))
    expect(sentences.length).toBe(3)
    for (const sentence of sentences) expect(text).toContain(sentence)
  })

  it('plans one step per part of a task and rejects other schemas', async () => {
    const output = { name: 'plan', schema: {} }
    const { text } = await ask('Add 1 and 2, then multiply it by 3; tell me', { output })
    expect(JSON.parse(text)).toMatchObject({
      steps: [
        { description: 'Add 1 and 2', after: [] },
        { description: 'multiply it by 3', after: [1] },
        { description: 'tell me', after: [] },
      ],
    })
    await expect(ask('x', { output: { name: 'person', schema: {} } })).rejects.toMatchObject({
      kind: 'not_available',
    })
  })

  const results = [{ number: 1, task: 'What is 21 * 2', text: '21 × 2 = **42**.' }]
  const handed = (task: string) => `What is it?\n\n${writeHandover({ results, step: { number: 2, task } })}`

  it.each([
    ['divide it by 4', { a: 42, b: 4, operation: 'divide' }],
    ['multiplie-le par 2,5', { a: 42, b: 2.5, operation: 'multiply' }],
    ['add 3', { a: 42, b: 3, operation: 'add' }],
    ['soustrais 3', { a: 42, b: 3, operation: 'subtract' }],
    ['what is it minus 1', { a: 42, b: 1, operation: 'subtract' }],
    ['what is 5 * 5', { a: 5, b: 5, operation: 'multiply' }],
  ])('performs the step %j on the previous result', async (task, input) => {
    expect((await ask(handed(task))).input).toEqual(input)
  })

  it('combines the results of steps into an answer', async () => {
    const second = { number: 2, task: 'divide it by 4', text: '42 ÷ 4 = **10.5**.' }
    const text = writeHandover({ results: [...results, second], step: null })
    expect((await ask(`What is 21 * 2?\n\n${text}`)).text).toBe('- 21 × 2 = **42**.\n- 42 ÷ 4 = **10.5**.')
  })

  const then = 'What is 21 * 2, then divide it by 4'
  it('calculates a later part of a question from the result of the earlier one [SE-14]', async () => {
    expect((await ask(then)).input).toEqual({ a: 21, b: 2, operation: 'multiply' })
    const second = await ask(then, { after: [result('42')] })
    expect(second.input).toEqual({ a: 42, b: 4, operation: 'divide' })
    const end = await ask(then, { after: [result('42'), result('10.5')] })
    expect(end.text).toBe('- 21 × 2 = **42**.\n- 42 ÷ 4 = **10.5**.')
  })

  it.each([
    ['Combien font 21 * 2, puis divise par 4', { a: 42, b: 4, operation: 'divide' }],
    ['21 fois 2, ensuite ajoute 3 ?', { a: 42, b: 3, operation: 'add' }],
    ['21 fois 2 et puis multiplie le résultat par 1,5', { a: 42, b: 1.5, operation: 'multiply' }],
    ['21 * 2 and then what is it minus 1?', { a: 42, b: 1, operation: 'subtract' }],
    ['What is 21 * 2 and divide it by 4', { a: 42, b: 4, operation: 'divide' }],
    ['Combien font 21 * 2 et divise-le par 4', { a: 42, b: 4, operation: 'divide' }],
    ['21 * 2; what is 3 + 4', { a: 3, b: 4, operation: 'add' }],
    ['(20 + 22) * 1; 5 * 5', { a: 42, b: 1, operation: 'multiply' }],
  ])('calls the calculator for the next part of %j after 42 [SE-14]', async (text, input) => {
    expect((await ask(text, { after: [result('42')] })).input).toEqual(input)
  })

  it('names the part it cannot do and does not build on it [SE-14]', async () => {
    const after = [result('42')]
    const english = await ask('What is 21 * 2, then paint it, then divide it by 4?', { after })
    expect(english.input).toBeNull()
    expect(english.text.split('\n')).toEqual([
      '- 21 × 2 = **42**.',
      '- I could not do this part: “paint it”.',
      '- I could not do this part: “divide it by 4”.',
    ])
    const french = await ask('Combien font 21 * 2, puis colorie-le', { after, language: 'fr' })
    expect(french.text).toContain('Je n’ai pas pu faire cette partie\u00a0: «\u00a0colorie-le\u00a0».')
    const failed = await ask('5 / 0, then add 3', { after: [result('Division by zero', true)] })
    expect(failed.input).toBeNull()
    expect(failed.text).toMatch(/Division by zero\n- I could not do this part: “add 3”\.$/)
    // Without further calls, it calculates the rest itself.
    const cut = await ask(then, { after, tool_choice: 'none' })
    expect(cut.text).toBe('- 21 × 2 = **42**.\n- 42 ÷ 4 = **10.5**.')
  })

  it('does not split code or words without a task [SE-14]', async () => {
    const tools = [{ name: 'code_interpreter', description: '', input_schema: {} }]
    const { input } = await ask('Run this:\n```js\nconst a = 1; then(a)\n```', { tools })
    expect(input).toEqual({ request: 'Run this:\n```js\nconst a = 1; then(a)\n```' })
    const french = await ask('Exécute :\n```\nprint(1)\n```', { tools })
    expect(french.input).toEqual({ request: 'Exécute :\n```\nprint(1)\n```' })
    expect((await ask('What is this?\n```cobol\nSTOP RUN.\n```', { tools })).input).toBeNull()
    const told = { plan: [], logs: 'Round 1/1: x\nOutput:\n    42\nStatus: successful', error: null }
    const files = { artifacts: [{ name: 'a.png' }], generated_files: [] }
    const result = { type: 'tool-result' as const, id: '1', name: 'code_interpreter', is_error: false }
    const content = [{ ...result, output: JSON.stringify({ ...told, ...files }) }]
    const after = [{ role: 'tool' as const, content }]
    expect((await ask('Run this:\n```js\n1\n```', { tools, after })).text).toBe(
      'The program printed:\n\n```text\n42\n```\n\nIt made: a.png.',
    )
    expect((await ask('Hello, then tell me a story')).text).toMatch(/^I cannot write texts of my own/)
  })
})

describe('a message longer than the built-in model reads', () => {
  const long = `Summarise: ${'The lake is deep. The fish swim far. '.repeat(3000)}`
  const french = long.replace('Summarise', 'Résume')

  it.each([
    [long, 'fr', 'I read the first 50,000 characters of this message, not the rest.'],
    [french, 'en', 'J’ai lu les 50\u202f000 premiers caractères de ce message, pas la suite.'],
  ] as const)(
    'is answered for its first part, with a note in its language',
    async (message, language, sentence) => {
      const { text } = await ask(message, { language })
      expect(text).toContain('- The fish swim far.')
      expect(text.endsWith(`\n\n${sentence}`)).toBe(true)
    },
  )

  it('gets no note when the model read all of it', async () => {
    expect((await ask(long.slice(0, 40_000))).text).not.toContain('characters')
  })
})

describe('a hostile text', () => {
  it.each([
    ['lines', `${'\n'.repeat(990_000)}a`],
    ['spaces', ' '.repeat(100_000)],
    ['spaces before a mark', `Summarise: a${' '.repeat(100_000)}b`],
    ['signs', '('.repeat(100_000)],
    ['digits', `${'0'.repeat(100_000)}+`],
    ['a long sum', '1+'.repeat(50_000)],
    ['many parts', 'a; then '.repeat(20_000)],
    ['many verbs', 'multiply '.repeat(20_000)],
    ['a place without end', `weather in ${' \n'.repeat(50_000)}`],
    ['fences', '```a\n'.repeat(20_000)],
    ['handed results', '<result step="1" task="a">\n'.repeat(10_000)],
    ['steps', '<step number="1">'.repeat(10_000)],
    ['brackets', `${'('.repeat(10_000)}1${')'.repeat(10_000)} + 1`],
    ['a number without end', `${'9'.repeat(100_000)} + 1`],
    ['powers', '9^'.repeat(50_000)],
    ['number words', 'two hundred and '.repeat(10_000)],
    ['units', '1 km + '.repeat(10_000)],
    ['days', '31 February '.repeat(10_000)],
    ['addresses', `Extract the emails: ${'a.b@'.repeat(15_000)}`],
    ['amounts', `Extract the amounts: ${'1 234 '.repeat(15_000)}`],
    ['phones', `Extract the phone numbers: ${'0 1 '.repeat(15_000)}`],
    ['dates in words', `Extract the dates: ${'1 january '.repeat(10_000)}`],
    ['a table of one line', `Make a table: ${'a, b; '.repeat(15_000)}`],
    ['a table in quotes', `Make a table:\n${'"a;'.repeat(25_000)}`],
    ['lines to sort', `Sort these lines:\n${'b\na\n'.repeat(12_000)}`],
    ['headings', `Outline this text:\n${'# a\n'.repeat(12_000)}`],
    ['combined characters', `Count the words: ${'👩‍👩‍👧 e\u0301'.repeat(6_000)}`],
  ])('does not block the event loop: %s', async (_, text) => {
    let longest = 0
    let last = performance.now()
    const beat = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 1)
    const stop = AbortSignal.timeout(150)
    const call: ModelCall = {
      ...{ model: 'offline', tools: [calculator, weather], tool_choice: 'auto', language: 'en' },
      messages: [{ role: 'user', content: [{ type: 'text', text }] }],
    }
    await offlineModel(call, stop, () => {}).catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 5))
    clearInterval(beat)
    expect(longest).toBeLessThan(1000)
  })
})
