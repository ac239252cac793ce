import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ListedPrompt, Prompt } from '#shared/chat/prompts/prompts.ts'
import { chatAnswers, chatPath, leaveChat, openChatView, prepareChat } from '#tests/web/chat-builder.tsx'
import { aMessage } from '#tests/web/message-builder.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import type { Answers } from '#tests/web/render-page.tsx'
import { keepDraft } from '../composer/composer.tsx'

const id = '33333333-3333-4333-8333-000000000001'
const prompt: Prompt = {
  ...{ id, own: true, can_edit: true, can_share: true, shared: false, shared_by: null },
  ...{ updated_at: '2026-11-01T08:00:00Z', version: 2, name: 'Reminder', command: 'remind' },
  text: 'Dear {{supplier}}, please answer within {{delay}}. {{last_reply}}',
  fields: [
    { name: 'supplier', label: 'Supplier', type: 'text', required: true },
    {
      name: 'delay',
      label: '',
      type: 'choice',
      required: false,
      options: ['8 days', '14 days'],
      value: '8 days',
    },
  ],
  ...{ assistant_id: null, model_name: null, tools: null, documents: [] },
}
const {
  version: _,
  text: beginning,
  fields: __,
  assistant_id,
  model_name,
  tools,
  documents,
  ...facts
} = prompt
const listed: ListedPrompt = { ...facts, beginning, field_count: 2 }
const settings = { assistant_id, model_name, tools, documents }

/** The first use loads the code of the form. */
const slow = { timeout: 15_000 }

const answers = (more: Answers = {}): Answers => ({
  'GET /prompts': ({ query }) => {
    const isFound = !query.get('q') || 'reminder remind'.includes((query.get('q') ?? '').toLowerCase())
    return { items: isFound ? [listed] : [], total: isFound ? 1 : 0 }
  },
  [`GET /prompts/${id}`]: () => prompt,
  'GET /users/me': () => aUser(),
  ...more,
})

describe('a prompt in the composer', () => {
  const user = userEvent.setup()
  beforeEach(() => {
    prepareChat()
    keepDraft('session-1', '')
  })
  afterEach(leaveChat)
  const composer = () => screen.getByLabelText<HTMLTextAreaElement>('Message')
  const open = (more: Answers = {}) =>
    openChatView(
      chatAnswers(
        [aMessage(), aMessage({ role: 'assistant', content: 'It is not owed.' })],
        {},
        answers(more),
      ),
    )

  it.each(['/rem', '/Remin', 'Hello /remi'])(
    'is found by %j, filled in and inserted, and nothing is sent [PL-02]',
    async (typed) => {
      const page = await open()
      await user.type(composer(), typed)
      await screen.findByRole('option', { name: /remind Reminder/ }, slow)
      await user.keyboard('{Enter}')
      const form = within(await screen.findByRole('form', { name: 'Reminder' }, slow))
      expect(composer().value).toBe(typed.slice(0, typed.indexOf('/')))
      expect(form.getByText('1 of 2 filled')).toBeTruthy()
      await user.type(form.getByRole('textbox', { name: /Supplier/ }), 'Kessler')
      await user.click(form.getByRole('radio', { name: '14 days' }))
      await user.click(form.getByRole('button', { name: 'Insert' }))
      await waitFor(() =>
        expect(composer().value).toBe(
          `${typed.slice(0, typed.indexOf('/'))}Dear Kessler, please answer within 14 days. It is not owed.`,
        ),
      )
      expect(screen.queryByRole('form', { name: 'Reminder' })).toBeNull()
      await user.type(composer(), ' Thanks')
      expect(composer().value).toMatch(/owed\. Thanks$/)
      expect(page.sent.filter(({ path, method }) => method === 'POST' && path.endsWith('/messages'))).toEqual(
        [],
      )
    },
  )

  it('asks for required fields before it inserts', async () => {
    await open()
    await user.type(composer(), '/remind')
    await user.click(await screen.findByRole('option', { name: /^.remind/ }))
    const form = within(await screen.findByRole('form', { name: 'Reminder' }, slow))
    await user.click(form.getByRole('button', { name: 'Insert' }))
    expect(await form.findByText('This field is required.')).toBeTruthy()
    expect(composer().value).toBe('')
  })

  it('closes with Escape, and a text that finds none is sent by Enter', async () => {
    const page = await open()
    await user.type(composer(), '/rem')
    await screen.findByRole('option', { name: /^.remind/ })
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('listbox')).toBeNull()
    expect(composer().value).toBe('/rem')
    await user.clear(composer())
    await user.type(composer(), '/zzz')
    await screen.findByRole('option', { name: 'New prompt “zzz”' })
    await user.keyboard('{Enter}')
    await waitFor(() =>
      expect(page.sent.some(({ path, method }) => method === 'POST' && path === `${chatPath}/messages`)).toBe(
        true,
      ),
    )
  })

  it('never sets up a chat that has messages', async () => {
    const page = await open({
      [`GET /prompts/${id}`]: () => ({ ...prompt, fields: [], tools: ['calculator'] }),
    })
    await user.type(composer(), '/rem')
    await screen.findByRole('option', { name: /^.remind/ })
    await user.keyboard('{Enter}')
    const form = within(await screen.findByRole('form', { name: 'Reminder' }, slow))
    await user.click(form.getByRole('button', { name: 'Insert' }))
    await waitFor(() => expect(composer().value).toMatch(/^Dear/))
    expect(page.sent.filter(({ path }) => path.endsWith('/prompt'))).toEqual([])
  })

  it('is made of any own message', async () => {
    const page = await open()
    await user.click((await screen.findAllByRole('button', { name: 'Save as prompt' }))[0]!)
    expect(page.pathNow()).toBe('/prompts/create')
  })
})

describe('the library of prompts', () => {
  const user = userEvent.setup()
  beforeEach(() => prepareBrowser())
  afterEach(() => leaveApp())
  const open = (path: string, more: Answers = {}) =>
    renderApp(path, {
      token: 't',
      answers: aServer(answers({ 'GET /assistants': () => [], 'GET /available-models': () => [], ...more })),
    })

  it('lists prompts with command and fields, and finds them', async () => {
    const page = await open('/prompts')
    const list = within(await screen.findByRole('list', { name: 'Prompts' }))
    const row = within(list.getByRole('listitem'))
    expect(row.getByText('/remind')).toBeTruthy()
    expect(row.getByText('2 fields')).toBeTruthy()
    await user.type(screen.getByRole('searchbox'), 'zz')
    expect(await screen.findByText('No prompt matches “zz”.')).toBeTruthy()
    expect(page.sent.some(({ path, query }) => path === '/prompts' && query.get('q') === 'zz')).toBe(true)
  })

  it('creates a prompt whose placeholders become fields', async () => {
    const page = await open('/prompts/create', { 'POST /prompts': () => prompt })
    await user.type(await screen.findByLabelText('Name'), 'Écrire à')
    expect(screen.getByLabelText<HTMLInputElement>('Command').value).toBe('ecrire-a')
    await user.click(screen.getByRole('textbox', { name: 'Text' }))
    await user.paste('Pay {{sum}} by {{today}}')
    await user.selectOptions(screen.getByLabelText('Type'), 'number')
    await user.type(screen.getByLabelText('Default'), '12')
    await user.click(screen.getByRole('button', { name: 'Create' }))
    await waitFor(() => expect(page.hrefNow()).toBe(`/prompts/${id}`))
    expect(page.called('POST /prompts')[0]?.body).toEqual({
      ...{ name: 'Écrire à', command: 'ecrire-a', text: 'Pay {{sum}} by {{today}}', ...settings },
      fields: [{ name: 'sum', label: '', type: 'number', required: false, value: '12' }],
    })
  })

  it('suggests values of a message as fields [PL-07]', async () => {
    const page = await open('/prompts')
    await page.router.navigate({
      to: '/prompts/create',
      state: { promptText: 'Remind Kessler Technik of F-2026-07 by 2026-12-01.' },
    })
    await user.click(await screen.findByRole('button', { name: 'Make 2026-12-01 a field: date' }))
    await user.click(screen.getByRole('button', { name: 'Make Kessler Technik a field: name' }))
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' }).value).toBe(
      'Remind {{name}} of F-2026-07 by {{date}}.',
    )
    const date = within(screen.getByRole('listitem', { name: 'date' }))
    expect(date.getByLabelText<HTMLSelectElement>('Type').value).toBe('date')
    expect(date.getByLabelText<HTMLInputElement>('Default').value).toBe('2026-12-01')
    expect(screen.queryByRole('button', { name: /Make 2026-12-01/ })).toBeNull()
  })

  it('says in one sentence why a file is not imported', async () => {
    const page = await open('/prompts')
    const input = await screen.findByLabelText('File of prompts')
    await user.upload(input, new File(['{"atrium":"assistant"}'], 'bad.json', { type: 'application/json' }))
    expect((await screen.findByRole('alert')).textContent).toBe(
      'bad.json is not a file of prompts. Nothing was imported.',
    )
    expect(page.called('POST /prompts/import')).toEqual([])
  })

  it('compares two versions and restores one', async () => {
    const version = (number: number) => ({
      ...{
        version: number,
        changed: ['text'],
        returned_from: null,
        saved_by: 'Ada',
        created_at: '2026-11-14T10:00:00Z',
      },
    })
    const { name, command, text, fields } = prompt
    const content = { name, command, text, fields, ...settings }
    const page = await open(`/prompts/${id}`, {
      [`GET /prompts/${id}/versions`]: () => ({ items: [version(2), version(1)], has_more: false }),
      [`GET /prompts/${id}/versions/compare`]: () => ({
        ...{ a: content, b: content, differs: ['text'], text: [{ kind: 'removed', text: 'Old line' }] },
      }),
      [`POST /prompts/${id}/versions/1/return`]: () => ({ ...prompt, version: 3 }),
    })
    await user.click(await screen.findByRole('tab', { name: 'Versions' }))
    const compared = within(await screen.findByRole('region', { name: 'v1 → v2' }))
    expect(await compared.findByText('Old line')).toBeTruthy()
    await user.click(compared.getByRole('button', { name: 'Restore v1' }))
    await waitFor(() => expect(page.called(`POST /prompts/${id}/versions/1/return`)).toHaveLength(1))
  })

  it('shares with a person, a group or a company, for use or for editing', async () => {
    const share = {
      id: 's',
      who: 'group',
      recipient_id: id,
      name: 'Buyers',
      company: 'Orsane',
      access: 'use',
    }
    const items: unknown[] = []
    const page = await open(`/prompts/${id}`, {
      [`GET /prompts/${id}/shares`]: () => ({ items, may: { everybody: false, others: true } }),
      [`POST /prompts/${id}/shares`]: () => {
        items.push({ ...share, shared_by: 'Ada', created_at: '', can_remove: true })
        return { items, may: { everybody: false, others: true } }
      },
      'GET /share-recipients': () => ({
        items: items.length > 0 ? [] : [{ who: 'group', id, name: 'Buyers', detail: 'Orsane' }],
        has_more: false,
      }),
    })
    await user.click(await screen.findByRole('button', { name: 'Share' }))
    await user.type(await screen.findByRole('combobox', { name: 'Add a company, group or person' }), 'Buy')
    await user.click(await screen.findByRole('option', { name: /Buyers/ }))
    await user.selectOptions(await screen.findByLabelText('What Buyers may do'), 'edit')
    expect(page.called(`POST /prompts/${id}/shares`).map(({ body }) => body)).toEqual([
      { recipient: { who: 'group', id }, access: 'use' },
      { recipient: { who: 'group', id }, access: 'edit' },
    ])
  })
})
