import { describe, expect, it } from 'vitest'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import type { InputField, InputFile, InputType } from '#shared/runs/runs/request.ts'
import { checkInput } from './check-input.ts'

const files: Record<string, InputFile> = {
  plan: { id: 'plan', name: 'plan.png', media_type: 'image/png', size: 1 },
  note: { id: 'note', name: 'note.mp3', media_type: 'audio/mpeg', size: 1 },
  film: { id: 'film', name: 'film.mp4', media_type: 'video/mp4', size: 1 },
  text: { id: 'text', name: 'text.txt', media_type: 'text/plain', size: 1 },
}
const request = (more: Partial<InputRequiredBlock>): InputRequiredBlock => ({
  ...{ type: 'input_required', id: 'a', checkpoint_name: 'a', prompt: '?', input_types: ['text'] },
  ...{ state: 'waiting', input: null, created_at: '', deadline: null, kind: 'question', ...more },
})
const check = (asked: Partial<InputRequiredBlock> | string, input: unknown, input_type: InputType) =>
  checkInput(
    request(typeof asked === 'string' ? { input_types: [asked] } : asked),
    { input, input_type },
    async (id) => files[id] ?? null,
  )
const refused = async (...given: Parameters<typeof check>): Promise<string> =>
  check(...given).then(
    () => 'taken',
    (error) => error.detail,
  )
const field = (name: string, type: InputField['type'] = 'text', required = false): InputField => ({
  ...{ name, label: name, type, required },
})

const ANSWER = 'input: Write an answer.'

describe('a text answer', () => {
  it('is kept as it is, unless it is empty or too long', async () => {
    expect(await check('text', ' a ', 'text')).toEqual({ input: ' a ', input_type: 'text', files: [] })
    for (const nothing of ['', ' \n', null, undefined, 5, ['a']])
      expect(await refused('text', nothing, 'text')).toBe(ANSWER)
    expect(await refused('text', 'x'.repeat(1_000_000), 'text')).toBe('taken')
    expect(await refused('text', 'x'.repeat(1_000_001), 'text')).toBe('The answer is too long.')
  })
})

describe('a JSON answer', () => {
  it('is parsed when it is text and accepted as it is otherwise', async () => {
    for (const [given, taken] of [
      ['[1]', [1]],
      ['0', 0],
      [{ a: 1 }, { a: 1 }],
      [0, 0],
      [false, false],
    ] as const)
      expect((await check('json', given, 'json')).input).toEqual(taken)
    for (const nothing of ['', null, undefined]) expect(await refused('json', nothing, 'json')).toBe(ANSWER)
    expect(await refused('json', '{', 'json')).toBe('input: This is not valid JSON.')
  })
})

describe('a decision', () => {
  it('accepts true and false, as words and as JSON too', async () => {
    for (const [given, taken] of [
      [true, true],
      ['true', true],
      [false, false],
      ['false', false],
    ] as const)
      expect((await check('boolean', given, 'boolean')).input).toBe(taken)
    expect((await check('boolean', 'true', 'json')).input).toBe(true)
    for (const none of ['True', 1, null, ''])
      expect(await refused('boolean', none, 'boolean')).toBe('input: Answer true or false.')
  })

  it('accepts one of three words for an interrupted call', async () => {
    const asked = { kind: 'interrupted' as const }
    for (const word of ['retry', 'skip', 'stop'])
      expect(await check(asked, word, 'text')).toEqual({ input: word, input_type: 'text', files: [] })
    for (const other of ['Retry', '', null])
      expect(await refused(asked, other, 'text')).toBe('input: Answer retry, skip or stop.')
  })
})

describe('a question that may be skipped', () => {
  it('ignores any input sent together with a skip', async () => {
    expect(await check({ skippable: true }, 'x', 'skipped')).toEqual({
      ...{ input: null, input_type: 'skipped', files: [] },
    })
    expect(await refused({}, null, 'skipped')).toBe('input_type: This request cannot be skipped.')
  })
})

describe('a file answer', () => {
  it('must be of the requested kind, except for documents', async () => {
    for (const [type, id] of [
      ['image', 'plan'],
      ['audio', 'note'],
      ['video', 'film'],
    ] as const) {
      expect(await check(type, id, type)).toEqual({ input: files[id], input_type: type, files: [files[id]] })
      expect(await refused(type, 'text', type)).toBe(`input: text.txt is no ${type} file.`)
      expect(await refused('document', id, type)).toBe('taken')
      expect(await refused(type, id, 'document')).toBe(`input_type: This request does not take document.`)
    }
    for (const type of ['file', 'document'] as const)
      for (const id of Object.keys(files)) expect(await refused('document', id, type)).toBe('taken')
    expect(await refused('text', 'plan', 'image')).toBe('input_type: This request does not take image.')
  })

  it('may hold up to twenty files, all of which must exist', async () => {
    const taken = await check('document', ['plan', { id: 'text' }], 'file')
    expect(taken).toMatchObject({ input: [files.plan, files.text], files: [files.plan, files.text] })
    expect((await check('document', ['plan'], 'file')).input).toEqual([files.plan])
    expect(await refused('document', Array(20).fill('plan'), 'file')).toBe('taken')
    for (const many of [[], Array(21).fill('plan')])
      expect(await refused('document', many, 'file')).toBe('input: Give 1 to 20 files.')
    for (const unknown of ['other', ['plan', 'other'], null, 5, {}, { id: 5 }, { name: 'plan' }])
      expect(await refused('document', unknown, 'file')).toBe(
        'input: The file was not found. Upload it again.',
      )
  })

  it('includes the transcript of a file, up to the length limit', async () => {
    const inputOf = async (transcript: unknown) =>
      (await check('audio', { id: 'note', transcript }, 'audio')).input
    expect(await inputOf(' said ')).toEqual({ ...files.note, transcript: 'said' })
    for (const none of [' ', '', 5, null]) expect(await inputOf(none)).toEqual(files.note)
    expect(await inputOf('x'.repeat(200_001))).toMatchObject({ transcript: 'x'.repeat(200_000) })
    expect((await check('audio', { id: 'note' }, 'audio')).input).toEqual(files.note)
  })
})

describe('an answer to several fields', () => {
  const asked = {
    input_types: ['composite'],
    fields: [field('a', 'text', true), field('b', 'json'), field('c', 'document'), field('d', 'boolean')],
  }

  it('is an object without the fields left empty', async () => {
    const empty = { b: ' ', c: [], d: null }
    expect(await check(asked, { a: 'x', ...empty }, 'multi')).toEqual({
      ...{ input: { a: 'x' }, input_type: 'composite', files: [] },
    })
    expect(await check(asked, { a: 'x', b: '0', c: ['plan'], d: false }, 'composite')).toEqual({
      ...{ input: { a: 'x', b: 0, c: [files.plan], d: false }, input_type: 'composite', files: [files.plan] },
    })
    for (const none of ['x', null, ['x'], undefined, 5])
      expect(await refused(asked, none, 'composite')).toBe(
        'input: A composite answer is an object of fields.',
      )
  })

  it('reports every invalid field and explains the first one', async () => {
    expect(await refused(asked, { b: '{', x: 1 }, 'composite')).toBe('input.b: This is not valid JSON.')
    expect(await refused(asked, { x: 1, b: '{' }, 'composite')).toBe('input.x: There is no such field.')
    expect(await refused(asked, { a: ' ' }, 'composite')).toBe('input.a: This field is required.')
    const none = { input_types: ['composite'], fields: [field('a')] }
    expect(await refused(none, {}, 'composite')).toBe('input: Fill in at least one field.')
  })

  it('reports a required field that is invalid only once', async () => {
    const fields = [field('a', 'json', true)]
    const error = await check({ fields }, { a: '{' }, 'composite').catch((error) => error)
    expect(error.errors).toEqual([{ path: 'input.a', message: 'This is not valid JSON.' }])
  })

  it('refuses a single value, unless there is only one field', async () => {
    expect(await refused(asked, 'x', 'text')).toBe('input_type: This request does not take text.')
    expect((await check({ fields: [field('a')] }, 'x', 'text')).input).toBe('x')
    expect((await check({ input_types: ['json', 'text'] }, 'x', 'text')).input).toBe('x')
  })

  it('refuses field types that the user cannot fill in', async () => {
    expect(await refused('location', 'x', 'text')).toBe('This kind of request cannot be answered here.')
  })

  it('rethrows errors that the answer did not cause', async () => {
    const broken = new Error('The disk is gone.')
    const given = { input: { c: 'plan' }, input_type: 'composite' as const }
    await expect(checkInput(request(asked), given, () => Promise.reject(broken))).rejects.toBe(broken)
  })
})
