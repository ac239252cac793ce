import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type {
  InstalledModels as Installed,
  InstalledModel,
} from '#shared/knowledge/installed-models/installed-models.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { InstalledModels } from './installed-models.tsx'

const trial = { dimensions: 384, max_tokens: 512, milliseconds: 33.4, tried_at: '2026-11-24T08:00:00.000Z' }
const model: InstalledModel = {
  ...{ kind: 'embedding', name: 'e5', id: 'installed/e5', state: 'ready', bytes: 0, of_bytes: null },
  ...{ problem: null, trial, is_used: false, fallback: null },
}
const empty: Installed = {
  ...{ models: [], waiting: [], waiting_place: '/data/models/waiting', most_bytes: 1_572_864_000 },
  ...{ most_chat_bytes: 1, offers: [] },
  engine: { state: 'missing', version: '3.22.1', memory_bytes: 1 },
}
const folder = { name: 'bge', bytes: 290_000_000, kind: null, has_sums: true, problem: null }
const draw = (more: Partial<Installed> = {}, answers: Answers = {}) =>
  renderPage(<InstalledModels />, {
    path: '/admin/models',
    answers: {
      'GET /installed-models': () => ({ ...empty, ...more }),
      'POST /installed-models': () => [202, { ...model, state: 'installing' }],
      ...answers,
    },
  })
const sum = 'ab'.repeat(32)

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
})
afterEach(leavePage)

describe('models on this server', () => {
  it('show their purpose, their speed, and the problem of a broken one', async () => {
    const failed = { ...model, kind: 'reranker' as const, name: 'bad', id: 'bad', trial: null }
    const problem = 'model.onnx is not what was stated.'
    await draw({
      models: [
        { ...model, is_used: true },
        { ...failed, state: 'failed', problem },
      ],
    })
    expect(
      await screen.findByText('Finds passages · 384 numbers a passage · reads 512 tokens · 33 ms a passage'),
    ).toBeTruthy()
    expect(screen.getByText(problem)).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Remove e5' }).disabled).toBe(true)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Remove bad' }).disabled).toBe(false)
  })

  it('are installed from an address with the stated hash, under the name in the address', async () => {
    const { sent } = await draw()
    await userEvent.click(await screen.findByRole('button', { name: 'Install a model' }))
    const begin = await screen.findByRole<HTMLButtonElement>('button', { name: 'Install' })
    await userEvent.click(screen.getByRole('button', { name: 'From a folder' }))
    expect(screen.getByText(/Put a folder with its files into \/data\/models\/waiting/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'From an address' }))
    const address = 'https://huggingface.co/intfloat/multilingual-e5-small/resolve/main'
    await userEvent.type(screen.getByRole('textbox', { name: 'Address' }), address)
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe(
      'multilingual-e5-small',
    )
    expect(begin.disabled).toBe(true)
    await userEvent.type(screen.getByRole('textbox', { name: 'SHA-256' }), sum)
    await userEvent.click(begin)
    const body = { kind: 'embedding', name: 'multilingual-e5-small', source: { address }, sums: sum }
    await waitFor(() => expect(sent.find(({ method }) => method === 'POST')?.body).toEqual(body))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('for many languages are installed with one click, from the hub or a mirror', async () => {
    const there = { ...model, name: 'multilingual-e5-base', id: 'installed/multilingual-e5-base' }
    const { sent } = await draw({ models: [there] })
    const list = await screen.findByRole('region', { name: 'Models for many languages' })
    expect(list.textContent).toMatch(/multilingual-e5-small.*113\sMB · MIT.*SHA-256 f80102d3/)
    expect(list.textContent).not.toContain('e5-base')
    const hub = screen.getByRole('textbox', { name: 'Hub or mirror' })
    await userEvent.clear(hub)
    await userEvent.type(hub, 'https://mirror.example')
    await userEvent.click(screen.getByRole('button', { name: 'Install bge-reranker-v2-m3' }))
    const source = { suggested: 'bge-reranker-v2-m3', hub: 'https://mirror.example' }
    const body = { kind: 'reranker', name: 'bge-reranker-v2-m3', source, sums: '' }
    await waitFor(() => expect(sent.find(({ method }) => method === 'POST')?.body).toEqual(body))
  })

  it('are installed from a folder with its own hashes, and an error is shown in the dialog', async () => {
    const detail = 'There is a model called bge: choose another name.'
    const { sent } = await draw(
      { waiting: [folder] },
      { 'POST /installed-models': () => Response.json({ detail, code: 'conflict' }, { status: 409 }) },
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Install a model' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Puts passages in order' }))
    await userEvent.click(screen.getByRole('button', { name: 'Install' }))
    expect((await screen.findByRole('alert')).textContent).toContain(detail)
    expect(sent.find(({ method }) => method === 'POST')?.body).toMatchObject({
      ...{ kind: 'reranker', name: 'bge', source: { folder: 'bge' } },
    })
  })

  it('are removed after a confirmation, and show progress during an installation', async () => {
    const coming = {
      ...model,
      name: 'large',
      id: 'installed/large',
      trial: null,
      bytes: 300,
      of_bytes: 1_200,
    }
    const { sent } = await draw(
      { models: [model, { ...coming, state: 'installing' }] },
      { 'DELETE /installed-models/embedding/e5': () => ({ message: '' }) },
    )
    const bar = await screen.findByRole('progressbar', { name: 'Installing large' })
    expect(bar.getAttribute('aria-valuenow')).toBe('25')
    expect(screen.getByRole('button', { name: 'Stop installing large' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Remove e5' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(sent.some(({ method }) => method === 'DELETE')).toBe(true))
  })

  it('show an empty state and a failed request', async () => {
    const view = await draw()
    expect(await screen.findByText('No model was installed')).toBeTruthy()
    view.unmount()
    await draw({}, { 'GET /installed-models': () => [500, { detail: 'Broken.', code: 'broken' }] })
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
  })
})
