import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AvailableModel } from '#shared/models/connections/connections.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { setToken } from '../../platform/lib/me/token.ts'
import { ToastHost } from '../../platform/ui/toasts/toast-host.tsx'
import { groupModels, modelOf, shortTokens } from './model-list.ts'
import { ModelPicker } from './model-picker.tsx'
import { switchModel } from './use-model.ts'

const aModel = (id: string, patch: Partial<AvailableModel> = {}): AvailableModel => ({
  ...{
    id,
    name: id.split('/')[1] ?? id,
    provider: 'openai',
    provider_name: 'OpenAI',
    context_tokens: 128_000,
  },
  ...{
    max_output_tokens: null,
    input_price: 2.5,
    output_price: 10,
    local: false,
    is_default: false,
    ...patch,
  },
})

const models = [
  aModel('openai/gpt-4o', { is_default: true }),
  aModel('openai/unknown', { input_price: null, output_price: null }),
  aModel('house/mill', { local: true, input_price: null, output_price: null }),
  aModel('atrium/offline', {
    provider_name: 'Atrium',
    local: true,
    input_price: 0,
    output_price: 0,
    context_tokens: null,
  }),
]

beforeAll(() => {
  Element.prototype.scrollIntoView = () => undefined
})
afterEach(() => {
  cleanup()
  leavePage()
})

async function open(more: Answers = {}, modelName: string | null = null) {
  const page = await renderPage(
    <>
      <ModelPicker sessionId="session-1" modelName={modelName} />
      <ToastHost />
    </>,
    {
      answers: {
        'GET /available-models': () => models,
        'PUT /sessions/session-1/model': ({ body }) => body,
        ...more,
      },
    },
  )
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: /^Model: gpt-4o|^Model: Built-in model/ }))
  return { ...page, user, puts: () => page.sent.filter(({ method }) => method === 'PUT') }
}

const option = (name: RegExp) => screen.findByRole('option', { name })

describe('model of a session', () => {
  it('is chosen from a list with price, context and destination of text [MO-01]', async () => {
    await open()
    expect((await option(/gpt-4o/)).textContent).toMatch(/\$2\.50 \/ \$10\.00.*128k/)
    expect((await option(/unknown/)).textContent).toContain('unpriced')
    expect((await option(/^Built-in model/)).textContent).toMatch(/free.*stays on your own network/)
    expect((await option(/gpt-4o/)).getAttribute('aria-selected')).toBe('true')
  })

  it('has no price on an own server until someone enters it', async () => {
    await open()
    expect((await option(/mill/)).textContent).toMatch(/unpriced.*stays on your own network/)
    expect((await option(/mill/)).textContent).not.toContain('free')
  })

  it('reports the changed model by replacing the pending message [MO-03]', async () => {
    const { user, puts } = await open()
    await user.click(await option(/^Built-in model/))
    expect(await screen.findByText('Switched to Built-in model')).toBeTruthy()
    expect(screen.queryByText('Switching to Built-in model...')).toBeNull()
    expect(puts()[0]?.body).toEqual({ model_name: 'atrium/offline' })
  })

  it('names this machine in the language of the person', async () => {
    const local = aModel('local/small', {
      ...{ provider: 'local', provider_name: 'This machine' },
      local: true,
    })
    const answers = { 'GET /available-models': () => [...models, local] }
    await renderPage(<ModelPicker sessionId="session-1" modelName="local/small" />, {
      language: 'fr',
      answers,
    })
    await userEvent.click(await screen.findByRole('button', { name: /small/ }))
    expect((await option(/small/)).outerHTML).toContain('Cette machine / small')
  })

  it('does nothing if it is already selected [MO-02]', async () => {
    const { user, puts } = await open()
    await user.click(await option(/gpt-4o/))
    await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull())
    expect(puts()).toEqual([])
  })

  it.each([
    ['super_admin', '/admin/models'],
    ['member', undefined],
  ])('links a %s to the models: %s', async (name, address) => {
    const company_affiliations = [{ company: { id: 'c', name: 'C' }, role: { name } }]
    await open({ 'GET /users/me': () => ({ id: 'u', company_affiliations }) })
    await option(/gpt-4o/)
    await waitFor(() => expect(queryClient.getQueryData(['me'])).toBeTruthy())
    expect(screen.queryByRole('link', { name: 'Manage models' })?.getAttribute('href')).toBe(address)
  })

  it('is chosen by keyboard', async () => {
    const { user, puts } = await open()
    const field = await screen.findByRole('combobox')
    await user.type(field, 'built')
    expect(within(screen.getByRole('listbox')).getAllByRole('option')).toHaveLength(1)
    await user.type(field, '{Enter}')
    await waitFor(() => expect(puts()[0]?.body).toEqual({ model_name: 'atrium/offline' }))
  })

  it('is found by words, or reported as missing', async () => {
    const { user } = await open()
    await user.type(await screen.findByRole('combobox'), 'claude')
    expect(screen.getByText('No model matches “claude”.')).toBeTruthy()
  })
})

describe('models', () => {
  it('use the chosen one, otherwise the default [MO-01]', () => {
    expect(modelOf(models, 'openai/unknown')?.id).toBe('openai/unknown')
    expect(modelOf(models, null)?.id).toBe('openai/gpt-4o')
    expect(modelOf(models, 'gone/model')).toBeNull()
  })

  it('form two groups: hosted, and on own servers', () => {
    expect(groupModels(models, '').map(({ name, models: group }) => [name, group.length])).toEqual([
      ['hosted', 2],
      ['local', 2],
    ])
    expect(groupModels(models, 'OPEN gpt')).toHaveLength(1)
  })

  it('show their context size in short form', () =>
    expect([999, 128_000, 1_048_576].map(shortTokens)).toEqual(['999', '128k', '1M']))
})

describe('switching', () => {
  const texts: Record<string, string> = {
    'streaming_blocks:model.switching': 'Switching to',
    'streaming_blocks:model.switched': 'Switched to',
    'streaming_blocks:model.switch_failed': 'Failed to switch to',
  }
  const t = ((key: string, { model }: { model: string }) => `${texts[key]} ${model}`) as never

  function changer(status: number, to: string) {
    const said: string[] = []
    const note = async (text: string) => void said.push(text)
    const say = { info: note, success: note, error: note }
    setToken('x')
    globalThis.fetch = async () => Response.json({ model_name: to, detail: 'no' }, { status })
    const change = () => switchModel({ sessionId: 's', from: 'a/b', to, name: 'other', t, say })
    return { said, change }
  }

  it('reports success or failure [MO-03]', async () => {
    const good = changer(200, 'x/good')
    expect(await good.change()).toBe(true)
    expect(good.said).toEqual(['Switching to other', 'Switched to other'])
    const bad = changer(500, 'x/bad')
    expect(await bad.change()).toBe(false)
    expect(bad.said).toEqual(['Switching to other', 'Failed to switch to other'])
  })

  it.each([
    ['no session', { sessionId: null }],
    ['no model', { to: '' }],
    ['the same model', { from: 'x/other', to: 'x/other' }],
  ])('does nothing with %s [MO-02]', async (_, given) => {
    const sent = vi.fn()
    globalThis.fetch = sent
    const say = { info: vi.fn(), success: vi.fn(), error: vi.fn() }
    const change = { sessionId: 's', from: 'a/b', to: 'x/other', name: 'other', t, say }
    expect(await switchModel({ ...change, ...given })).toBe(false)
    expect([sent, say.info, say.success, say.error].flatMap(({ mock }) => mock.calls)).toEqual([])
  })

  it('repeats no message about the same model within 2 s [MO-04]', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { said, change } = changer(500, 'x/again')
    await change()
    await change()
    expect(said).toHaveLength(2)
    vi.setSystemTime(Date.now() + 1_999)
    await change()
    expect(said).toHaveLength(2)
    vi.setSystemTime(Date.now() + 1)
    await change()
    expect(said).toHaveLength(4)
    vi.useRealTimers()
  })
})
