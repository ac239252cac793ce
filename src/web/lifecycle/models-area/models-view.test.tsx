import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ModelConnection } from '#shared/models/connections/connections.ts'
import { aConnection, aModel } from '#tests/web/connection-builder.ts'
import { forms } from '#tests/web/provider-forms.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { ModelsView } from './models-view.tsx'

const environment = aConnection({
  name: 'OpenAI',
  kind: 'openai',
  source: 'environment',
  fixed_by: ['OPENAI_API_KEY'],
  base_url: null,
})
const stored = aConnection({
  name: 'vLLM, Lyon',
  models: [
    aModel({}),
    aModel({ id: 'vllm/pixtral', name: 'pixtral', input_price: null, output_price: null, offered: false }),
  ],
})

function aServer(connections: ModelConnection[], more: Answers = {}): Answers {
  return {
    'GET /model-connections': () => connections,
    'GET /model-connections/kinds': () => Object.values(forms),
    ...more,
  }
}
const draw = (answers: Answers) => renderPage(<ModelsView />, { path: '/admin/models', answers })
const rowOf = async (name: string) =>
  (await screen.findByRole('button', { name: `Show the models of ${name}` })).closest('li') as HTMLElement
const open = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `Show the models of ${name}` }))
  return rowOf(name)
}

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
})
afterEach(leavePage)

describe('the connection list', () => {
  it('says that a model on this machine answers when no provider is connected', async () => {
    const installed = {
      ...{ waiting: [], waiting_place: '/', most_bytes: 1, most_chat_bytes: 1, offers: [] },
      engine: { state: 'ready', version: '3.22.1', memory_bytes: 1 },
      models: [
        {
          ...{ kind: 'chat', name: 'small', id: 'local/small', state: 'ready', bytes: 0, of_bytes: null },
          ...{ problem: null, trial: null, is_used: false, fallback: null },
        },
      ],
    }
    await draw(aServer([], { 'GET /installed-models': () => installed }))
    expect(await screen.findByText('No provider is connected')).toBeTruthy()
    expect(screen.queryByText('No model is connected')).toBeNull()
  })

  it('shows connections set by the environment with a lock and without a menu [MO-06, AD-13]', async () => {
    await draw(aServer([environment, stored]))
    const lock = within(await rowOf('OpenAI')).getByText('server settings')
    expect(lock.dataset.tip).toMatch(/^Set by OPENAI_API_KEY /)
    expect(within(await rowOf('OpenAI')).queryByRole('button', { name: /Actions/ })).toBeNull()
    expect(
      within(await rowOf('vLLM, Lyon')).getByRole('button', { name: 'Actions for vLLM, Lyon' }),
    ).toBeTruthy()
    expect(screen.getByText('3 models from 2 connections')).toBeTruthy()
  })

  it('shows only the last characters of a key [SV-97]', async () => {
    await draw(aServer([stored, aConnection({ name: 'Open', has_key: false, key_hint: null, keys: [] })]))
    expect(within(await rowOf('vLLM, Lyon')).getByText('•••• 9f2c')).toBeTruthy()
    expect(within(await rowOf('Open')).getByText('none')).toBeTruthy()
  })

  it('expands to the models and shows unknown prices as unpriced [MO-06, MO-01]', async () => {
    await draw(aServer([stored]))
    const item = await open('vLLM, Lyon')
    const row = within(item).getByText('pixtral').closest('tr') as HTMLElement
    expect(within(row).getAllByText('unpriced')).toHaveLength(2)
    expect(within(row).getByRole<HTMLInputElement>('switch', { name: 'Offer pixtral' }).checked).toBe(false)
    expect(within(row).getByText('131,072')).toBeTruthy()
  })

  it('makes a model available and edits its prices inline [MO-06]', async () => {
    const path = `PATCH /model-connections/${stored.id}`
    const { sent } = await draw(aServer([stored], { [path]: () => stored }))
    const item = await open('vLLM, Lyon')
    await userEvent.click(within(item).getByRole('switch', { name: 'Offer pixtral' }))
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'PATCH')?.body).toEqual({
        models: { 'vllm/pixtral': { offered: true } },
      }),
    )
    await userEvent.click(
      within(item).getAllByRole('button', { name: /Edit price, context and fallback of pixtral/ })[1]!,
    )
    await userEvent.type(screen.getByRole('textbox', { name: /^Input price of pixtral/ }), '0,15{Enter}')
    await waitFor(() =>
      expect(sent.filter(({ method }) => method === 'PATCH')[1]?.body).toEqual({
        models: { 'vllm/pixtral': { context_tokens: 131_072, input_price: 0.15, output_price: null } },
      }),
    )
    await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull())
  })

  it('finds a model in a long list [MO-06]', async () => {
    const models = Array.from({ length: 80 }, (_, index) =>
      aModel({ id: `vllm/m-${index}`, name: `m-${index}` }),
    )
    await draw(aServer([aConnection({ name: 'Many', models })]))
    const item = await open('Many')
    expect(within(item).getAllByRole('switch')).toHaveLength(50)
    expect(within(item).getByText('30 more. Type a part of the name to find one.')).toBeTruthy()
    await userEvent.type(within(item).getByRole('textbox', { name: 'Find a model' }), 'm-77')
    expect(within(item).getAllByRole('switch')).toHaveLength(1)
  })

  it("shows a server's error at its connection [MO-06]", async () => {
    const broken = aConnection({
      name: 'OpenRouter',
      status: 'error',
      status_detail: 'Incorrect API key provided.',
    })
    const test = `POST /model-connections/${broken.id}/test`
    const found = { ok: false, detail: 'No auth credentials found.', latency_ms: null, models: [] }
    await draw(aServer([broken], { [test]: () => found }))
    const item = await rowOf('OpenRouter')
    expect(within(item).getByRole('alert').textContent).toContain('Incorrect API key provided.')
    await userEvent.click(within(item).getByRole('button', { name: 'Test OpenRouter' }))
    await waitFor(() =>
      expect(within(item).getByRole('alert').textContent).toContain('No auth credentials found.'),
    )
    expect(within(item).getByRole('button', { name: 'Replace key' })).toBeTruthy()
  })

  it('shows the keys of a pool with their states, adds one, removes one, and sets limits [AD-17]', async () => {
    const until = '2026-11-25T14:30:00.000Z'
    const pooled = aConnection({
      name: 'Pool',
      keys: [
        { id: 'first', hint: '1111', state: 'working', until: null },
        { id: 'b', hint: '2222', state: 'set_aside', until },
        { id: 'c', hint: '3333', state: 'refused', until },
      ],
    })
    const { sent } = await draw(
      aServer([pooled], { [`PATCH /model-connections/${pooled.id}`]: () => pooled }),
    )
    expect(within(await rowOf('Pool')).getByText('•••• 1111').parentElement?.textContent).toContain('+2')
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for Pool' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('3 keys, which take turns')).toBeTruthy()
    const keys = within(dialog.getByRole('list', { name: 'Keys of this connection' })).getAllByRole(
      'listitem',
    )
    expect(keys.map(({ textContent }) => textContent)).toEqual([
      '•••• 1111Works',
      expect.stringMatching(/^•••• 2222Set aside until .*\d\d/),
      expect.stringMatching(/^•••• 3333Refused, tried again at .*\d\d/),
    ])
    await userEvent.type(dialog.getByLabelText(/^Add a key/), 'sk-new')
    await userEvent.click(dialog.getByRole('button', { name: 'Remove the key ending in 3333' }))
    expect(dialog.getByRole('button', { name: 'Keep the key ending in 3333' })).toBeTruthy()
    await userEvent.type(dialog.getByLabelText(/^Requests a minute/), '60')
    await userEvent.type(dialog.getByLabelText(/^Tokens a minute/), 'none')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    expect(dialog.getByText('Type a whole number above 0, or leave it empty.')).toBeTruthy()
    await userEvent.clear(dialog.getByLabelText(/^Tokens a minute/))
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'PATCH')?.body).toMatchObject({
        ...{ add_keys: ['sk-new'], remove_keys: ['c'], requests_per_minute: 60 },
      }),
    )
  })

  it('edits only the limits of a connection set by the environment [AD-17]', async () => {
    const fixed = aConnection({ ...environment, id: 'environment-openai' })
    const path = 'PATCH /model-connections/environment-openai'
    const { sent } = await draw(aServer([fixed], { [path]: () => fixed }))
    await userEvent.click(await screen.findByRole('button', { name: 'Limits of OpenAI' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Limits of OpenAI' }))
    expect(dialog.getAllByRole('textbox')).toHaveLength(3)
    await userEvent.type(dialog.getByLabelText(/^Tokens a minute/), '90,000')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'PATCH')?.body).toEqual({ tokens_per_minute: 90_000 }),
    )
  })

  it('selects a fallback among all available models [AD-17]', async () => {
    const path = `PATCH /model-connections/${stored.id}`
    const { sent } = await draw(aServer([environment, stored], { [path]: () => stored }))
    const item = await open('vLLM, Lyon')
    await userEvent.click(within(item).getAllByRole('button', { name: /fallback of pixtral/ })[0]!)
    const select = screen.getByRole('combobox', { name: 'Model that stands in for pixtral' })
    expect(
      within(select)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toContain('No fallback')
    await userEvent.selectOptions(select, 'qwen3-32b · vLLM, Lyon')
    await userEvent.click(within(item).getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'PATCH')?.body).toMatchObject({
        models: { 'vllm/pixtral': { fallback: 'vllm/qwen3-32b' } },
      }),
    )
  })

  it('turns a connection off, and deletes it after confirmation [MO-06]', async () => {
    const path = `/model-connections/${stored.id}`
    const { sent } = await draw(
      aServer([stored], { [`PATCH ${path}`]: () => stored, [`DELETE ${path}`]: () => ({ message: 'Gone' }) }),
    )
    const choose = async (name: string) => {
      await userEvent.click(await screen.findByRole('button', { name: 'Actions for vLLM, Lyon' }))
      await userEvent.click(await screen.findByRole('menuitem', { name }))
    }
    await choose('Turn off')
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'PATCH')?.body).toEqual({ enabled: false }),
    )
    await choose('Delete')
    expect(sent.some(({ method }) => method === 'DELETE')).toBe(false)
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(sent.some(({ method }) => method === 'DELETE')).toBe(true))
  })
})

describe('model servers on this machine', () => {
  const ollama = { name: 'Ollama', kind: 'compatible', base_url: 'http://127.0.0.1:11434/v1', models: 3 }

  it('are offered and connected with one click', async () => {
    let isConnected = false
    const { sent } = await draw(
      aServer([], {
        'GET /model-connections': () => (isConnected ? [aConnection({ name: 'Ollama' })] : []),
        'GET /model-connections/local': () => (isConnected ? [] : [ollama]),
        'POST /model-connections': () => {
          isConnected = true
          return [201, aConnection({ name: 'Ollama' })]
        },
      }),
    )
    expect(await screen.findByText('Ollama runs on this machine.')).toBeTruthy()
    expect(screen.getByText(/It offers 3 models/)).toBeTruthy()
    expect(sent.some(({ method }) => method === 'POST')).toBe(false)
    await userEvent.click(screen.getByRole('button', { name: 'Connect Ollama' }))
    await rowOf('Ollama')
    expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
      name: 'Ollama',
      kind: 'compatible',
      base_url: 'http://127.0.0.1:11434/v1',
    })
    await waitFor(() => expect(screen.queryByText('Ollama runs on this machine.')).toBeNull())
  })
})

describe('the connection dialog', () => {
  it('tests before saving, and connects the selected models [MO-06, SV-97]', async () => {
    const made = aConnection({
      name: 'vLLM, Nantes',
      models: [aModel({ id: 'nantes/mistral' }), aModel({ id: 'nantes/embed' })],
    })
    const { sent } = await draw(
      aServer([], {
        'POST /model-connections/test': () => ({
          ok: true,
          detail: '',
          latency_ms: 88,
          models: ['mistral', 'embed'],
        }),
        'POST /model-connections': () => [201, made],
        [`PATCH /model-connections/${made.id}`]: () => made,
      }),
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Connect a model' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: /OpenAI-compatible/ }))
    await userEvent.type(dialog.getByLabelText('Name'), 'vLLM, Nantes')
    await userEvent.type(dialog.getByLabelText('Address'), 'http://10.20.9.5:8000/v1')
    await userEvent.type(dialog.getByLabelText(/^API key/), 'sk-secret')
    await userEvent.click(dialog.getByRole('button', { name: 'Test' }))
    expect(await dialog.findByText('2 models found')).toBeTruthy()
    expect(dialog.getByText('in 88 ms')).toBeTruthy()
    expect(sent.some(({ method, path }) => method === 'POST' && path === '/model-connections')).toBe(false)
    await userEvent.click(dialog.getByRole('checkbox', { name: 'embed' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Connect 1 model' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent.find(({ path, method }) => method === 'POST' && path === '/model-connections')?.body).toEqual(
      {
        name: 'vLLM, Nantes',
        kind: 'compatible',
        base_url: 'http://10.20.9.5:8000/v1',
        api_key: 'sk-secret',
      },
    )
    expect(sent.find(({ method }) => method === 'PATCH')?.body).toEqual({
      models: { 'nantes/embed': { offered: false } },
    })
  })

  it('asks for the ids of models where the server lists none', async () => {
    const given = { name: 'Gateway', base_url: 'http://10.20.9.5/llm', model_ids: ['my-model'] }
    const models = [aModel({ id: 'vllm/my-model' })]
    const made = aConnection({ ...given, models, has_key: false, keys: [], lists_models: false })
    const { sent } = await draw(
      aServer([], {
        'POST /model-connections/test': ({ body }) => ({
          ok: 'model_ids' in (body as object),
          detail: 'The server lists no models.',
          ...{ latency_ms: 9, lists_models: false },
          models: (body as { model_ids?: string[] }).model_ids ?? [],
        }),
        'POST /model-connections': () => [201, made],
      }),
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Connect a model' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: /OpenAI-compatible/ }))
    await userEvent.click(dialog.getByRole('button', { name: 'vLLM' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Test' }))
    expect(await dialog.findByText('Type at least one id.')).toBeTruthy()
    await userEvent.type(dialog.getByLabelText('Models'), 'my-model')
    await userEvent.click(dialog.getByRole('button', { name: 'Test again' }))
    expect(await dialog.findByText('1 model named by hand')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Connect 1 model' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent.find(({ path, method }) => method === 'POST' && path === '/model-connections')?.body).toEqual(
      {
        ...{ name: 'vLLM', kind: 'compatible', base_url: 'http://127.0.0.1:8000/v1', api_key: null },
        model_ids: ['my-model'],
      },
    )
  })

  it('can reveal the key, and reports missing fields [MO-06]', async () => {
    const { sent } = await draw(aServer([]))
    await userEvent.click(await screen.findByRole('button', { name: 'Connect a model' }))
    const dialog = within(await screen.findByRole('dialog'))
    const key = dialog.getByLabelText<HTMLInputElement>('API key')
    expect(key.type).toBe('password')
    await userEvent.click(dialog.getByRole('button', { name: 'Show password' }))
    expect(key.type).toBe('text')
    await userEvent.click(dialog.getByRole('button', { name: 'Connect' }))
    expect(dialog.getByText('This provider needs a key.')).toBeTruthy()
    expect(sent.some(({ method }) => method === 'POST')).toBe(false)
  })

  it("shows the server's reason for a failed test [MO-06]", async () => {
    await draw(
      aServer([], {
        'POST /model-connections/test': () => ({
          ok: false,
          detail: 'Incorrect API key provided.',
          latency_ms: null,
          models: [],
        }),
      }),
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Connect a model' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText('API key'), 'wrong{Enter}')
    expect((await dialog.findByRole('alert')).textContent).toContain('Incorrect API key provided.')
  })

  it('leaves the key unchanged when only the name is edited, and never sends it elsewhere [SV-97]', async () => {
    const { sent } = await draw(
      aServer([stored], { [`PATCH /model-connections/${stored.id}`]: () => stored }),
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for vLLM, Lyon' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByLabelText<HTMLInputElement>(/^API key/).value).toBe('')
    await userEvent.type(dialog.getByLabelText('Address'), '/other')
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Test' }).disabled).toBe(true)
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent.find(({ method }) => method === 'PATCH')?.body).not.toHaveProperty('api_key')
  })
})
