import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import { prepareBrowser } from '#tests/web/render-app.tsx'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { aCall, drawArtifact, drawStep, known, lyon } from '#tests/web/step-builder.tsx'
import { anExecution, aTool } from '#tests/web/tool-builder.ts'
import { closeChatPanel, useChatPanel } from '../../../platform/lib/chat-panel.ts'
import { ToolStep } from '../tool-step.tsx'

beforeEach(() => prepareBrowser())
afterEach(() => {
  leavePage()
  closeChatPanel()
  vi.restoreAllMocks()
})

describe('a call too large for its message', () => {
  const preview = '{"location":"Lyon, France","temp'
  const partial = (bytes: number, more: Partial<ToolBlock> = {}) => ({
    ...{ result: null, result_ref: { id: 'call', bytes, preview }, ...more },
  })
  const execution = anExecution({ id: 'call', input: { location: 'Lyon' }, result: lyon })
  const asked = ({ sent }: Awaited<ReturnType<typeof drawStep>>) =>
    sent.filter(({ path }) => path === '/tool-executions/call').length
  const answers = { 'GET /tool-executions/call': () => execution }

  it('shows a preview of the result, and the whole on request', async () => {
    const page = await drawStep(partial(1_000_000), answers)
    expect(screen.getByText('Completed')).toBeTruthy()
    expect(await screen.findByText(`${preview}…`)).toBeTruthy()
    expect(asked(page)).toBe(0)
    await userEvent.click(screen.getByRole('button', { name: 'Show the whole result (1 MB)' }))
    expect(await screen.findByText('45 °F')).toBeTruthy()
    expect(asked(page)).toBe(1)
  })

  it('loads automatically when the tool has its own card and the result is small enough', async () => {
    const page = await drawStep(partial(9_000), answers)
    expect(await screen.findByText('45 °F')).toBeTruthy()
    expect(asked(page)).toBe(1)
    leavePage()
    const bare = partial(9_000, { tool_id: 'zeppelin' })
    const other = await drawStep(bare, { ...answers, 'GET /tools/zeppelin': () => aTool({ id: 'zeppelin' }) })
    expect(screen.getByRole('button', { name: /9 kB/ })).toBeTruthy()
    expect(asked(other)).toBe(0)
  })

  it('shows loading and error states, in French too', async () => {
    let isBroken = true
    const broken = [400, { code: 'malformed', detail: 'no' }]
    await renderPage(<ToolStep block={aCall(partial(2_500_000))} />, {
      language: 'fr',
      answers: { ...known, 'GET /tool-executions/call': () => (isBroken ? broken : execution) },
    })
    await userEvent.click(
      await screen.findByRole('button', { name: /Afficher tout le résultat \(2,5\sMo\)/ }),
    )
    expect(await screen.findByText('Le résultat n’a pas pu être chargé en entier.')).toBeTruthy()
    isBroken = false
    await userEvent.click(screen.getByRole('button', { name: 'Réessayer' }))
    expect(await screen.findByText('Pluie faible')).toBeTruthy()
  })

  it('opens in full in the side panel: interface, result and events', async () => {
    const events = [{ type: 'weather', phase: 'look', status: 'complete', data: { page: 'Forecast' } }]
    await drawArtifact(partial(1_000_000, { events: [], events_cut: true }), {
      'GET /tool-executions/call': () => ({ ...execution, events }),
    })
    expect(await screen.findByText('45 °F')).toBeTruthy()
    expect(screen.getByText('Temperature (°F)', { selector: 'dt' })).toBeTruthy()
    await userEvent.click(screen.getByRole('tab', { name: /Events/ }))
    expect(screen.getByText(/Forecast/)).toBeTruthy()
  })

  it('loads its whole input in the panel before a rerun', async () => {
    const location = `Lyon ${'x'.repeat(9_000)}`
    const cut = {
      ...{ status: 'error' as const, result: null, error: 'No answer.' },
      ...{ input: { location: 'Lyon…' }, input_ref: { id: 'call', bytes: 9_020, preview: '{"loc' } },
    }
    const whole = { ...execution, status: 'error', result: null, error: 'No answer.', input: { location } }
    const executes = {
      'GET /tool-executions/call': () => whole,
      'POST /tools/weather/execute': () => [202, { tool_execution_id: 'e2', status: 'pending' }],
    }
    await drawStep(cut, executes)
    await userEvent.click(await screen.findByRole('button', { name: 'Retry' }))
    expect(useChatPanel.getState()).toMatchObject({ shown: 'artifact', subject: 'call', isEditing: true })
    leavePage()
    const page = await drawArtifact(cut, executes)
    const again = await screen.findByRole<HTMLButtonElement>('button', { name: 'Run again' })
    await waitFor(() => expect(again.disabled).toBe(false))
    await userEvent.click(again)
    await waitFor(() =>
      expect(page.sent.find(({ method }) => method === 'POST')?.body).toMatchObject({ inputs: { location } }),
    )
  })

  it('is not fetched while running, because its output is streamed', async () => {
    const under = { status: 'streaming' as const, result: null, events_cut: true }
    const page = await drawArtifact(under, answers)
    expect(screen.getByText('Running')).toBeTruthy()
    expect(asked(page)).toBe(0)
  })

  it('renders only the start of very long raw data, and copies all of it', async () => {
    const long = `${'x'.repeat(50_000)}end`
    await drawArtifact({ tool_id: 'zeppelin', result: long })
    expect(screen.queryByText(/end/)).toBeNull()
    expect(screen.getByText('3 more characters are not shown.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Copy all of it' })).toBeTruthy()
  })
})
