import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EmbeddingModelState } from '#shared/knowledge/embedding-model/embedding-model.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { EmbeddingModel } from './embedding-model.tsx'

const known = { max_tokens: 256, problem: null }
const state: EmbeddingModelState = {
  ...{ model: 'atrium/gte-small', passages: 1_234, building: null, kept: null },
  offered: [
    { ...known, id: 'atrium/gte-small', name: 'gte-small', provider_name: null, dimensions: 384 },
    {
      ...{ ...known, id: 'openai/text-embedding-3-small', name: 'text-embedding-3-small' },
      ...{ provider_name: 'OpenAI', dimensions: 1536 },
    },
  ],
}
const draw = (more: Partial<EmbeddingModelState> = {}, answers: Answers = {}) =>
  renderPage(<EmbeddingModel />, {
    path: '/admin/models',
    answers: {
      'GET /embedding-model': () => ({ ...state, ...more }),
      'GET /embedding-model/cost': () => ({ passages: 1_234, tokens: 250_000, price: 0.005 }),
      'POST /embedding-model/change': () => ({ message: '' }),
      'DELETE /embedding-model/change': () => ({ message: '' }),
      ...answers,
    },
  })

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
})
afterEach(leavePage)

describe('embedding model', () => {
  it('is changed to a listed one after its cost is shown', async () => {
    const { sent } = await draw()
    expect(await screen.findByText('1,234 passages')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Change model' }))
    const list = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Model' })
    expect([...list.options].map(({ textContent }) => textContent)).toEqual([
      'openai/text-embedding-3-small · OpenAI · 1,536 numbers a passage',
      'Another model of a provider',
    ])
    expect(
      await screen.findByText(
        /1,234 passages are to be read, about 250,000 tokens\. That costs about \$0\.005/,
      ),
    ).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Change' }))
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
        model: 'openai/text-embedding-3-small',
      }),
    )
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('says if questions do not find texts in another language [CX-11]', async () => {
    const [first, second] = state.offered
    const view = await draw({ offered: [{ ...first!, is_monolingual: true }, second!] })
    expect(await screen.findByText(/a question in French does not find English documents/)).toBeTruthy()
    view.unmount()
    await draw({ model: second!.id })
    expect(await screen.findByText('1,234 passages')).toBeTruthy()
    expect(screen.queryByText(/a question in French/)).toBeNull()
  })

  it('can be typed, with an error shown next to it', async () => {
    const detail = 'house/x embedded nothing: it is not there.'
    await draw(
      {},
      { 'POST /embedding-model/change': () => Response.json({ detail, code: 'invalid' }, { status: 422 }) },
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Change model' }))
    await userEvent.selectOptions(
      await screen.findByRole('combobox', { name: 'Model' }),
      'Another model of a provider',
    )
    const begin = screen.getByRole<HTMLButtonElement>('button', { name: 'Change' })
    expect(begin.disabled).toBe(true)
    await userEvent.type(screen.getByRole('textbox', { name: 'Provider and model' }), 'house/x')
    await userEvent.click(begin)
    expect((await screen.findByRole('alert')).textContent).toContain('embedded nothing')
  })

  it('shows the progress of a change, why it is stuck, and cancels it after a confirmation', async () => {
    const building = { model: 'house/large', done: 617, total: 1_234, standstill: 'The provider is away.' }
    const { sent } = await draw({ building })
    const bar = await screen.findByRole('progressbar')
    expect([bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuetext')]).toEqual([
      '50',
      '617 of 1,234 passages',
    ])
    expect(screen.getByText('The provider is away.')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Change model' }).disabled).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Give up the change' }))
    await waitFor(() => expect(sent.some(({ method }) => method === 'DELETE')).toBe(true))
  })

  it('is reverted to the previous one while that is kept', async () => {
    const { sent } = await draw({ kept: { model: 'house/small', until: '2026-12-07T08:00:00.000Z' } })
    expect(await screen.findByText(/house\/small is kept until/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Go back' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Change' }))
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({ model: 'house/small' }),
    )
  })

  it('reports an incomplete model folder', async () => {
    const half = {
      id: 'installed/half',
      name: 'half',
      provider_name: null,
      dimensions: null,
      max_tokens: null,
    }
    const { sent } = await draw({
      offered: [...state.offered, { ...half, problem: 'model.onnx is missing.' }],
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Change model' }))
    const list = await screen.findByRole('combobox', { name: 'Model' })
    await userEvent.selectOptions(list, 'installed/half · cannot be used')
    expect(screen.getByText('model.onnx is missing.')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Change' }).disabled).toBe(true)
    expect(sent.some(({ method }) => method === 'POST')).toBe(false)
  })
})
