import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

const aText = 'The credit note of invoice {{invoice}} of {{supplier}} has not arrived.'
const fields = [
  { name: 'supplier', label: 'Supplier', type: 'text', required: true },
  { name: 'invoice', type: 'text', value: 'F-1' },
]
let count = 0
const create = (more: object = {}, headers = chat.user.headers) => {
  count += 1
  return chat.call(
    'POST',
    '/prompts',
    { name: 'Reminder', command: `remind-${count}`, text: aText, ...more },
    headers,
  )
}
const found = async (q: string, headers = chat.user.headers) =>
  (await chat.call('GET', `/prompts?q=${encodeURIComponent(q)}`, undefined, headers)).body.items.map(
    ({ command }: { command: string }) => command,
  )

describe('a prompt', () => {
  it('stores a name, a command, a text and every kind of field with its default [PL-01]', async () => {
    const every = [
      { name: 'a', type: 'text', value: 'Kessler' },
      { name: 'b', type: 'long_text', value: 'Two\nlines' },
      { name: 'délai', type: 'choice', options: ['8 days', '14 days'], value: '8 days' },
      { name: 'd', type: 'number', value: '12,5' },
      { name: 'e', type: 'date', value: '2026-02-28' },
      { name: 'f', type: 'date', value: '{{today}}' },
      { name: 'g', type: 'file' },
      { name: 'h', type: 'document', required: true },
    ]
    const made = await create({ fields: every, command: 'Relance-été' })
    expect(made.status).toBe(201)
    const read = (await chat.call('GET', `/prompts/${made.body.id}`)).body
    expect(read).toMatchObject({
      name: 'Reminder',
      command: 'Relance-été',
      text: aText,
      own: true,
      version: 1,
    })
    expect(read.fields).toEqual(every.map((field) => ({ label: '', required: false, ...field })))
  })

  it.each([
    ['a default that is no answer', { fields: [{ name: 'a', type: 'choice', options: ['x'], value: 'y' }] }],
    ['a choice without answers', { fields: [{ name: 'a', type: 'choice' }] }],
    ['a default that is no number', { fields: [{ name: 'a', type: 'number', value: 'many' }] }],
    [
      'a default on a day that does not exist',
      { fields: [{ name: 'a', type: 'date', value: '2026-02-30' }] },
    ],
    ['two fields of one name', { fields: [fields[0], fields[0]] }],
    ['a field with the name of a built-in one', { fields: [{ name: 'today', type: 'text' }] }],
    ['a field that is named like a part of every object', { fields: [{ name: '__proto__', type: 'text' }] }],
    ['an unknown kind of field', { fields: [{ name: 'a', type: 'colour' }] }],
    ['a command with a space', { command: 'two words' }],
    ['an empty text', { text: '' }],
  ])('is refused with %s, and nothing is stored', async (_, wrong) => {
    const before = (await chat.call('GET', '/prompts')).body.total
    const refused = await create(wrong)
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid' } })
    expect(refused.body.detail.split('\n')).toHaveLength(1)
    expect((await chat.call('GET', '/prompts')).body.total).toBe(before)
  })

  it('has a command of its own, whatever the case', async () => {
    expect((await create({ command: 'Twice' })).status).toBe(201)
    expect(await create({ command: 'tWICE' })).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const other = (await create()).body.id
    expect((await chat.call('PUT', `/prompts/${other}`, { command: 'twice' })).status).toBe(409)
    const [one, two] = await Promise.all([create({ command: 'race' }), create({ command: 'race' })])
    expect([one.status, two.status].sort()).toEqual([201, 409])
    const stranger = await aUser(chat.app)
    expect((await create({ command: 'twice' }, stranger.headers)).status).toBe(201)
  })

  it('is found by name and by command, with what begins with the words first', async () => {
    const person = (await aUser(chat.app)).headers
    await create({ name: 'Relance fournisseur', command: 'dun' }, person)
    await create({ name: 'Zone', command: 'my-rel' }, person)
    await create({ name: 'Réécrire', command: 'rewrite' }, person)
    await create({ name: 'Weather', command: 'sky' }, person)
    expect(await found('rel', person)).toEqual(['dun', 'my-rel'])
    expect(await found('/REW', person)).toEqual(['rewrite'])
    expect(await found('reecr', person)).toEqual(['rewrite'])
    expect(await found('re', person)).toEqual(['rewrite', 'dun', 'my-rel'])
    expect(await found('%', person)).toEqual([])
  })

  it('is deleted with its versions', async () => {
    const { id } = (await create()).body
    expect((await chat.call('DELETE', `/prompts/${id}`)).status).toBe(200)
    expect((await chat.call('GET', `/prompts/${id}`)).status).toBe(404)
    const left = await chat.app.deps.db
      .selectFrom('prompt_versions')
      .selectAll()
      .where('prompt_id', '=', id)
      .execute()
    expect(left).toEqual([])
  })
})

describe('versions of a prompt', () => {
  it('are created by every save, and can be compared and restored [PL-05]', async () => {
    const { id } = (await create({ fields })).body
    const path = `/prompts/${id}`
    await chat.call('PUT', path, { text: `${aText}\nPlease answer.`, name: 'Second' })
    await chat.call('PATCH', path, { fields: [] })
    const { items } = (await chat.call('GET', `${path}/versions`)).body
    expect(items.map((one: { version: number; changed: string[] }) => [one.version, one.changed])).toEqual([
      [3, ['fields']],
      [2, ['name', 'text']],
      [1, []],
    ])
    expect((await chat.call('GET', `${path}/versions/compare?a=1&b=3`)).body).toMatchObject({
      differs: ['name', 'text', 'fields'],
      text: [
        { kind: 'same', text: aText },
        { kind: 'added', text: 'Please answer.' },
      ],
    })
    const back = await chat.call('POST', `${path}/versions/1/return`)
    expect(back).toMatchObject({ status: 200, body: { name: 'Reminder', text: aText, version: 4 } })
    expect(back.body.fields).toHaveLength(2)
    expect((await chat.call('GET', `${path}/versions?limit=1`)).body).toMatchObject({
      items: [{ version: 4, returned_from: 1 }],
      has_more: true,
    })
    expect((await chat.call('POST', `${path}/versions/9/return`)).status).toBe(404)
  })

  it('never overwrite a newer one', async () => {
    const { id } = (await create()).body
    await chat.call('PUT', `/prompts/${id}`, { name: 'Second', version: 1 })
    const late = await chat.call('PUT', `/prompts/${id}`, { name: 'Third', version: 1 })
    expect(late).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await chat.call('GET', `/prompts/${id}`)).body.name).toBe('Second')
  })
})

describe('a file of prompts', () => {
  it('brings all own prompts into another account, with new commands for those taken', async () => {
    const [from, to] = [await aUser(chat.app), await aUser(chat.app)]
    await create({ fields, command: 'dun' }, from.headers)
    await create({ name: 'Other', command: 'other', text: 'Plain {{ and }}' }, from.headers)
    const file = (await chat.call('POST', '/prompts/export', {}, from.headers)).body
    expect(file.prompts).toHaveLength(2)
    await create({ command: 'DUN' }, to.headers)
    const done = await chat.call('POST', '/prompts/import', file, to.headers)
    expect(done).toMatchObject({ status: 201, body: { count: 2, renamed: 1, without: 0 } })
    expect((await found('', to.headers)).sort()).toEqual(['DUN', 'dun-2', 'other'])
    const again = (await chat.call('POST', '/prompts/export', {}, to.headers)).body
    const copied = again.prompts.find(({ command }: { command: string }) => command === 'dun-2')
    expect(copied).toEqual({
      ...file.prompts.find(({ command }: { command: string }) => command === 'dun'),
      command: 'dun-2',
    })
  })

  it('leaves out a model, tools and an assistant that the person may not use', async () => {
    const person = await aUser(chat.app)
    const ada = (await chat.call('POST', '/assistants', { name: 'Ada' })).body.id
    const prompt = {
      name: 'A',
      command: 'a',
      text: 'A',
      fields: [],
      assistant_id: ada,
      model_name: 'nowhere/none',
    }
    const file = { atrium: 'prompts', format: 1, prompts: [{ ...prompt, tools: ['calculator', 'no-tool'] }] }
    expect((await chat.call('POST', '/prompts/import', file, person.headers)).body.without).toBe(1)
    const { id } = (await chat.call('GET', '/prompts', undefined, person.headers)).body.items[0]
    expect((await chat.call('GET', `/prompts/${id}`, undefined, person.headers)).body).toMatchObject({
      ...{ assistant_id: null, model_name: null, tools: ['calculator'] },
    })
  })

  const whole = {
    name: 'A',
    command: 'a',
    text: 'A',
    fields: [],
    assistant_id: null,
    model_name: null,
    tools: null,
  }
  const deep = Array.from({ length: 2_000 }).reduce<unknown>((inner) => [inner], [])
  it.each([
    ['no file of prompts', { hello: 1 }],
    ['a file of assistants', { atrium: 'assistant', format: 1, prompts: [whole] }],
    ['a later format', { atrium: 'prompts', format: 2, prompts: [whole] }],
    [
      'one broken prompt among good ones',
      { atrium: 'prompts', format: 1, prompts: [whole, { ...whole, text: 7 }] },
    ],
    [
      'too many prompts',
      { atrium: 'prompts', format: 1, prompts: Array.from({ length: 1_001 }, () => whole) },
    ],
    [
      'a text that is too long',
      { atrium: 'prompts', format: 1, prompts: [{ ...whole, text: 'x'.repeat(1_000_001) }] },
    ],
    ['deep nesting', { atrium: 'prompts', format: 1, prompts: [{ ...whole, fields: deep }] }],
  ])('is refused with one sentence when it is %s, and nothing is stored', async (_, file) => {
    const person = await aUser(chat.app)
    const refused = await chat.call('POST', '/prompts/import', file, person.headers)
    expect([400, 413, 422]).toContain(refused.status)
    expect(refused.body.detail).toMatch(/^[^\n]{5,300}\.$/)
    expect(await found('', person.headers)).toEqual([])
  })
})

describe('a duplicate', () => {
  it('is an own prompt with a command of its own', async () => {
    const { id, command } = (await create({ fields })).body
    const copy = await chat.call('POST', `/prompts/${id}/duplicate`)
    expect(copy).toMatchObject({
      status: 201,
      body: { own: true, version: 1, text: aText, command: `${command}-2` },
    })
    await chat.call('PUT', `/prompts/${id}`, { text: 'Changed' })
    expect((await chat.call('GET', `/prompts/${copy.body.id}`)).body.text).toBe(aText)
  })
})
