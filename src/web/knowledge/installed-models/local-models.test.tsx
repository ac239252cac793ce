import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type {
  InstalledModels as Installed,
  OfferedChatModel,
} from '#shared/knowledge/installed-models/installed-models.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { LocalModels } from './local-models.tsx'

const GIGABYTE = 1024 ** 3
const offer: OfferedChatModel = {
  ...{ name: 'small', title: 'Small 1B', address: 'https://hub.example/small.gguf', sha256: 'ab'.repeat(32) },
  ...{ bytes: GIGABYTE, licence: 'Apache-2.0', languages: [], calls_tools: true },
  ...{ memory_bytes: 1.5 * GIGABYTE, tokens_per_second: 12.4 },
}
const empty: Installed = {
  ...{
    models: [],
    waiting: [],
    waiting_place: '/data/models/waiting',
    most_bytes: 1,
    most_chat_bytes: GIGABYTE,
  },
  engine: { state: 'missing', version: '3.22.1', memory_bytes: 4 * GIGABYTE },
  offers: [offer, { ...offer, name: 'large', title: 'Large 9B', memory_bytes: 9 * GIGABYTE }],
}
const draw = (more: Partial<Installed> = {}, answers: Answers = {}) =>
  renderPage(<LocalModels />, {
    path: '/admin/models',
    answers: { 'GET /installed-models': () => ({ ...empty, ...more }), ...answers },
  })

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
})
afterEach(leavePage)

describe('models that run on this machine', () => {
  it('are listed with their requirements, and installed with one click', async () => {
    const { sent } = await draw({}, { 'POST /installed-models': () => [202, {}] })
    expect(
      (
        await screen.findAllByText(
          /licence Apache-2.0 · many languages · calls tools · needs 1.5 GB of memory/,
        )
      )[0],
    ).toBeTruthy()
    expect(screen.getAllByText(/about 12 tokens a second here/)).toHaveLength(2)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Install Large 9B' }).disabled).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: 'Install Small 1B' }))
    await waitFor(() => expect(sent.some(({ method }) => method === 'POST')).toBe(true))
    expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
      ...{ kind: 'chat', name: 'small', source: { address: offer.address }, sums: offer.sha256 },
    })
  })

  it('state the expected speed of a slow machine', async () => {
    await draw({ offers: [{ ...offer, tokens_per_second: 0.3 }] })
    expect(await screen.findByText(/about 0.3 tokens? a second here/)).toBeTruthy()
  })

  it('get a fallback', async () => {
    const model = {
      kind: 'chat' as const,
      name: 'small',
      id: 'local/small',
      state: 'ready' as const,
      bytes: 0,
    }
    const more = { of_bytes: null, problem: null, trial: null, is_used: false, fallback: null }
    const { sent } = await draw(
      { models: [{ ...model, ...more }] },
      {
        'GET /available-models': () => [{ id: 'local/other', provider: 'local' }],
        'GET /model-connections': () => [],
        'PATCH /installed-models/chat/small': () => ({ ...model, ...more, fallback: 'local/other' }),
      },
    )
    await screen.findByRole('option', { name: /^other/ })
    const select = screen.getByRole('combobox', { name: 'Model that stands in for small' })
    await userEvent.selectOptions(select, 'local/other')
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'PATCH')?.body).toEqual({ fallback: 'local/other' }),
    )
  })

  it('show their speed once installed, and are no longer offered', async () => {
    const trial = {
      dimensions: null,
      max_tokens: 8192,
      milliseconds: 80,
      tried_at: '2026-11-24T08:00:00.000Z',
    }
    await draw({
      models: [
        {
          ...{ kind: 'chat', name: 'small', id: 'local/small', state: 'ready', bytes: 0, of_bytes: null },
          ...{ problem: null, trial, is_used: false, fallback: null },
        },
      ],
    })
    expect(
      await screen.findByText('Answers in chats · window of 8,192 tokens · writes 12.5 tokens a second'),
    ).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Install Small 1B' })).toBeNull()
  })

  it('say that they are being tried once they are downloaded', async () => {
    const model = { kind: 'chat' as const, name: 'small', id: 'local/small', state: 'installing' as const }
    const more = { problem: null, trial: null, is_used: false, fallback: null }
    const sizes = { bytes: GIGABYTE, of_bytes: GIGABYTE }
    await draw({ models: [{ ...model, ...sizes, ...more }] })
    expect(await screen.findByText('Answers in chats · downloaded, being checked and tried')).toBeTruthy()
  })

  it('explain that the machine has no engine', async () => {
    await draw({ engine: { ...empty.engine, state: 'unsupported' } })
    expect(await screen.findByText(/no program that runs models on this kind of machine/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Another model' })).toBeNull()
  })
})
