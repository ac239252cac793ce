import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ToolBlock } from '#shared/runs/blocks.ts'
import { closeChatPanel } from '../lib/chat-panel.ts'
import { leavePage, renderPage } from '../lib/render-page.tsx'
import { clearToken } from '../lib/token.ts'
import { MessageBlocks } from '../messages/messages.tsx'
import { Artifact, MEASURE_AFTER_MS } from './artifact.tsx'
import { aTool } from './tool-builder.ts'
import { ToolCard } from './tool-card.tsx'
import { ToolStep } from './tool-step.tsx'

afterEach(() => {
  leavePage()
  closeChatPanel()
  vi.restoreAllMocks()
})

const aBlock = (patch: Partial<ToolBlock> = {}): ToolBlock => ({
  ...{ type: 'tool', id: 'call', tool_id: 'weather', tool_name: 'Weather', status: 'complete', error: null },
  ...{ input: { location: 'Lyon' }, result: lyon, events: [], ...patch },
})
const lyon = {
  ...{ location: 'Lyon, France', temperature: 45, condition: 'Light rain', humidity: 87, wind_speed: 9 },
  ...{ weather_code: 61, is_day: true, observed_at: '2026-11-21T10:00', timezone: 'Europe/Paris', also: [] },
}
const known = { 'GET /tools/weather': () => aTool({ id: 'weather' }) }
const card = (patch: Partial<ToolBlock> = {}, language = 'en') =>
  renderPage(<ToolCard block={aBlock(patch)} />, { language })
const step = (patch: Partial<ToolBlock> = {}, answers = {}) =>
  renderPage(<ToolStep block={aBlock(patch)} />, { answers: { ...known, ...answers } })
const artifact = (patch: Partial<ToolBlock> | null, answers = {}) =>
  renderPage(<Artifact block={patch && aBlock(patch)} />, { answers: { ...known, ...answers } })

describe('the weather card', () => {
  it('WT-01 shows temperature in Fahrenheit, condition, humidity and wind', async () => {
    await card()
    expect(await screen.findByText('45 °F')).toBeTruthy()
    for (const text of ['Light rain', '87 %', '9 mph', 'Open-Meteo'])
      expect(screen.getByText(text)).toBeTruthy()
    expect(screen.getByText(/Saturday,? 21 November/)).toBeTruthy()
  })

  it('WT-01 speaks French to French people, whatever language the result is in', async () => {
    await card({}, 'fr')
    expect(await screen.findByText('Pluie faible')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Météo' })).toBeTruthy()
  })

  it('WT-01 names the other places of that name', async () => {
    await card({ result: { ...lyon, also: ['Lyon, Mississippi, United States'] } })
    expect(await screen.findByText('There are also: Lyon, Mississippi, United States')).toBeTruthy()
  })

  it('R-08 TO-11 says what went wrong in the language of the person', async () => {
    await card({ status: 'error', result: null, error: 'No place named “Lyon” was found. Try a town.' }, 'fr')
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('est inconnu'))
  })
})

describe('any card', () => {
  it.each<[Partial<ToolBlock>, string]>([
    [{ status: 'pending', input: null, result: null }, 'Waiting'],
    [{ status: 'pending', result: null }, 'Input'],
    [{ status: 'loading', result: null }, 'Running'],
    [{ status: 'processing', result: null }, 'Running'],
    [{ status: 'streaming', result: '{"temp' }, 'Running'],
    [{ status: 'complete' }, 'Completed'],
    [{ status: 'complete', result: '{"temperature": 45}' }, 'Completed'],
    [{ status: 'failed', error: 'No.' }, 'Failed'],
    [{ status: 'error', error: null }, 'Failed'],
  ])('TO-08 TO-09 BL-05 %j reads %s, live and from history alike', async (patch, words) => {
    await card(patch)
    expect(screen.getByText(words)).toBeTruthy()
  })

  it('TO-11 an error that no card explains is shown as it is, in TO-06 a tool without a card, too', async () => {
    await card({ status: 'error', result: null, error: 'The disk is full.', tool_id: 'zeppelin' })
    expect(screen.getByRole('alert').textContent).toContain('The disk is full.')
  })

  it('TO-06 TO-27 an unknown component has the general card: phases, text, result', async () => {
    const events = [
      { type: 'zeppelin', phase: 'SEARCH', status: 'complete' },
      { type: 'zeppelin', phase: 'WRITING', status: 'processing' },
      { type: 'tool_partial_update', data: { content: 'So far' } },
    ]
    const block = {
      tool_id: 'zeppelin',
      tool_name: 'zeppelin',
      events,
      result: null,
      status: 'streaming' as const,
    }
    await card(block)
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      ...['Searchcompleted', 'Writingrunning'],
    ])
    expect(screen.getByText('So far')).toBeTruthy()
  })
})

describe('a tool step', () => {
  it('BL-13 says when its tool is unknown, unnamed or out of reach', async () => {
    const { unmount } = await step({ tool_id: 'gone' })
    expect(await screen.findByText('Tool with ID gone not found.')).toBeTruthy()
    unmount()
    const second = await step({ tool_id: '' })
    expect(screen.getByText('Tool ID is missing.')).toBeTruthy()
    second.unmount()
    await step({ tool_id: 'other' }, { 'GET /tools/other': () => [403, { code: 'forbidden', detail: 'no' }] })
    expect(await screen.findByText('Failed to load tool details.', {}, { timeout: 4000 })).toBeTruthy()
  })
})

describe('a tool a reply speaks of', () => {
  const say = (text: string) =>
    renderPage(<MessageBlocks blocks={[{ type: 'text', id: 't', text }]} growing={false} />, {
      answers: known,
    })

  it('BL-07 BL-13 a marker in the text shows its card, or that there is none', async () => {
    await say('Use this:\n\n<tool-description id="weather"></tool-description>\n\nfor the sky.')
    expect(await screen.findByText('Current conditions for a place.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open the tool' }).getAttribute('href')).toBe('/tools/weather')
    leavePage()
    await say('<tool-description id="gone"></tool-description> <tool-description></tool-description>')
    expect(await screen.findByText('Tool with ID gone not found.')).toBeTruthy()
    expect(screen.getByText('Tool ID is missing.')).toBeTruthy()
  })
})

describe('the artifact panel', () => {
  it('TO-14 BL-05 shows an execution with its own interface, input, result and events', async () => {
    await artifact({ events: [{ type: 'weather', status: 'processing' }] })
    expect(await screen.findByText('45 °F')).toBeTruthy()
    expect(screen.getByText(/"temperature": 45/)).toBeTruthy()
    await userEvent.click(screen.getByRole('tab', { name: 'Input' }))
    expect(screen.getByText(/"location": "Lyon"/)).toBeTruthy()
    await userEvent.click(screen.getByRole('tab', { name: /Events/ }))
    expect(screen.getByText('processing')).toBeTruthy()
  })

  it('TO-16 has the states waiting, running, done and error', async () => {
    const states: [Partial<ToolBlock> | null, string][] = [
      [null, 'Waiting'],
      [{ status: 'processing', result: null }, 'Running'],
      [{}, 'Completed'],
      [{ status: 'error', error: 'No.' }, 'Failed'],
    ]
    for (const [patch, words] of states) {
      const { unmount } = await artifact(patch)
      expect(screen.getByText(words)).toBeTruthy()
      unmount()
    }
  })

  it('TO-17 says why the interface of a tool cannot be shown', async () => {
    const first = await artifact({ tool_id: '' })
    expect(screen.getByText('Tool ID missing in artifact data.')).toBeTruthy()
    first.unmount()
    await artifact({}, { 'GET /tools/weather': () => [403, { code: 'forbidden', detail: 'no' }] })
    expect(await screen.findByText('Failed to load tool details for UI.', {}, { timeout: 4000 })).toBeTruthy()
    act(() => clearToken())
    expect(screen.getByText('Authentication required to load tool details.')).toBeTruthy()
  })

  it('TO-17 input and result that are no JSON are shown as they are', async () => {
    await artifact({ input: '{"location": ', result: '{"temp', status: 'complete', tool_id: 'zeppelin' })
    expect(screen.getAllByText(/\{"temp/).length).toBeGreaterThan(0)
    await userEvent.click(screen.getByRole('tab', { name: 'Input' }))
    expect(screen.getByText(/\{"location":/)).toBeTruthy()
  })

  it('TO-13 measures what can be scrolled 100 ms after the state changed', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const waits = () => timers.mock.calls.filter(([, ms]) => ms === MEASURE_AFTER_MS).length
    await artifact({ status: 'processing', result: null })
    expect(MEASURE_AFTER_MS).toBe(100)
    expect(waits()).toBeGreaterThan(0)
  })
})
