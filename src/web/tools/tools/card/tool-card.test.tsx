import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import { prepareBrowser } from '#tests/web/render-app.tsx'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { aCall, drawArtifact, drawStep, inside, known, lyon } from '#tests/web/step-builder.tsx'
import { anExecution, aTool } from '#tests/web/tool-builder.ts'
import { MessageBlocks } from '../../../chat/messages/messages.tsx'
import { closeChatPanel, useChatPanel } from '../../../platform/lib/chat-panel.ts'
import { clearToken } from '../../../platform/lib/me/token.ts'
import { Artifact } from '../artifact.tsx'
import { useMoreBelow } from '../execution/use-more-below.ts'
import { ToolCard } from './tool-card.tsx'

beforeEach(() => prepareBrowser())
afterEach(() => {
  leavePage()
  closeChatPanel()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const card = (patch: Partial<ToolBlock> = {}, language = 'en') =>
  renderPage(<ToolCard block={aCall(patch)} />, { language })

describe('the weather card', () => {
  it('shows temperature in Fahrenheit, condition, humidity and wind [WT-01]', async () => {
    await card()
    expect(await screen.findByText('45 °F')).toBeTruthy()
    for (const text of ['Light rain', '87 %', '9 mph', 'Open-Meteo'])
      expect(screen.getByText(text)).toBeTruthy()
    expect(screen.getByText(/Saturday,? 21 November/)).toBeTruthy()
  })

  it('shows French to French users, whatever the language of the result [WT-01]', async () => {
    await card({}, 'fr')
    expect(await screen.findByText('Pluie faible')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Météo' })).toBeTruthy()
  })

  it('lists other places of the same name [WT-01]', async () => {
    await card({ result: { ...lyon, also: ['Lyon, Mississippi, United States'] } })
    expect(await screen.findByText('There are also: Lyon, Mississippi, United States')).toBeTruthy()
  })

  it("shows errors in the user's language [R-08, TO-11]", async () => {
    await card({ status: 'error', result: null, error: 'No place named “Lyon” was found. Try a town.' }, 'fr')
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('est inconnu'))
  })
})

describe('any card', () => {
  it('shows only its head while its details are open', async () => {
    const { rerender } = await renderPage(<ToolCard block={aCall({})} onOpen={() => undefined} />)
    expect(await screen.findByText('45 °F')).toBeTruthy()
    rerender(<ToolCard block={aCall({})} onOpen={() => undefined} isOn />)
    expect(screen.queryByText('45 °F')).toBeNull()
    expect(screen.getByRole('heading', { name: 'Weather' })).toBeTruthy()
  })

  it.each<[Partial<ToolBlock>, string]>([
    [{ status: 'pending', input: null, result: null }, 'Waiting'],
    [{ status: 'pending', result: null }, 'Input'],
    [{ status: 'loading', result: null }, 'Running'],
    [{ status: 'processing', result: null }, 'Running'],
    [{ status: 'streaming', result: '{"temp' }, 'Running'],
    [{ status: 'complete' }, 'Completed'],
    [{ status: 'complete', result: '{"temperature": 45}' }, 'Completed'],
    [{ status: 'failed', error: 'No.' }, 'Error'],
    [{ status: 'error', error: null }, 'Error'],
  ])('shows %j as %s, both live and from history [TO-08, TO-09, BL-05]', async (patch, words) => {
    await card(patch)
    expect(screen.getByText(words)).toBeTruthy()
  })

  it('shows an unexplained error unchanged, also for a tool without a card [TO-11]', async () => {
    await card({ status: 'error', result: null, error: 'The disk is full.', tool_id: 'zeppelin' })
    expect(screen.getByRole('alert').textContent).toContain('The disk is full.')
  })

  it('shows phases, text and result for a tool without an interface', async () => {
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
  it('reports an unknown, unnamed or inaccessible tool [BL-13]', async () => {
    const { unmount } = await drawStep({ tool_id: 'gone' })
    expect(await screen.findByText('Tool with ID gone not found.')).toBeTruthy()
    unmount()
    const second = await drawStep({ tool_id: '' })
    expect(screen.getByText('Tool ID is missing.')).toBeTruthy()
    second.unmount()
    await drawStep(
      { tool_id: 'other' },
      { 'GET /tools/other': () => [403, { code: 'forbidden', detail: 'no' }] },
    )
    expect(await screen.findByText('Failed to load tool details.', {}, { timeout: 4000 })).toBeTruthy()
  })
})

describe('a call that failed', () => {
  const failed = (error: string) => ({ status: 'error' as const, result: null, error })
  const executes = {
    'POST /tools/weather/execute': () => [202, { tool_execution_id: 'e2', status: 'pending' }],
  }

  it('offers a retry next to the chat and shows it in the side panel [TO-11, SV-50]', async () => {
    const page = await drawStep(failed('The weather service could not answer.'), executes)
    await userEvent.click(await screen.findByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(useChatPanel.getState()).toMatchObject({ shown: 'artifact', subject: 'e2' }))
    const sent = page.sent.find(({ path }) => path === '/tools/weather/execute')
    expect(sent?.body).toEqual({ inputs: { location: 'Lyon' } })
    // The original card stays highlighted.
    expect(screen.getByRole('button', { name: /open in the side panel/ }).getAttribute('aria-expanded')).toBe(
      'true',
    )
  })

  it('offers to edit the inputs when a retry would fail again [TO-11, WT-01, CA-02]', async () => {
    await drawStep(failed('No place named “Lyon” was found. Try a town.'))
    await userEvent.click(await screen.findByRole('button', { name: 'Edit' }))
    expect(useChatPanel.getState()).toMatchObject({ shown: 'artifact', subject: 'call', isEditing: true })
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
    leavePage()
    const divided = { a: 1, b: 0, operation: 'divide' }
    await drawStep(
      { ...failed('Division by zero is not possible.'), tool_id: 'calculator', input: divided },
      {
        'GET /tools/calculator': () =>
          aTool({ id: 'calculator', ui_location: { kind: 'internal', name: 'calculator' } }),
      },
    )
    expect(await screen.findByRole('button', { name: 'Edit' })).toBeTruthy()
  })

  it.each([
    ['The person declined this call: Use May', 'Declined', 'You did not allow this tool to run: “Use May”'],
    ['Stopped', 'Stopped', 'Stopped before there was a result.'],
    ['The run ended before this call did.', 'Stopped', 'Stopped before there was a result.'],
  ])('shows an end with “%s” as %s, not as failed', async (error, word, sentence) => {
    await drawStep(failed(error))
    expect(await screen.findByText(sentence)).toBeTruthy()
    expect(screen.getByText(word)).toBeTruthy()
    expect(screen.queryByText('Error')).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Retry' }) === null).toBe(word === 'Declined')
  })

  it("translates Atrium's own messages about a call", async () => {
    const invalid = 'The arguments are not valid. a Enter a number.; operation Choose one.; a Too long'
    await drawStep({ ...failed(invalid), tool_id: 'calculator' }, {}, 'fr')
    expect(await screen.findByText('Ne convient pas à cet outil : Premier nombre, Opération.')).toBeTruthy()
    leavePage()
    await drawStep(failed('Weather took longer than 20 seconds.'), {}, 'fr')
    expect(await screen.findByText('Météo : pas de résultat après 20 secondes.')).toBeTruthy()
  })

  it('offers nothing for a deleted tool [TO-11, BL-13]', async () => {
    await drawStep({ ...failed('No.'), tool_id: 'gone' })
    expect(await screen.findByText('Tool with ID gone not found.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
  })
})

describe('a tool marker in a reply', () => {
  const say = (text: string) =>
    renderPage(<MessageBlocks blocks={[{ type: 'text', id: 't', text }]} growing={false} />, {
      answers: known,
    })

  it("shows the tool's card, or says that the tool does not exist [BL-07, BL-13]", async () => {
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
  it('shows an execution with its interface, input, result and events [TO-14, BL-05]', async () => {
    await drawArtifact({ events: [{ type: 'weather', status: 'processing' }] })
    expect(await screen.findByText('45 °F')).toBeTruthy()
    const termOf = (name: string) =>
      screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent
    expect(termOf('Temperature (°F)')).toBe('45')
    await userEvent.click(screen.getByRole('button', { name: 'Show as data' }))
    expect(screen.getByText(/"temperature": 45/)).toBeTruthy()
    await userEvent.click(screen.getByRole('tab', { name: 'Input' }))
    expect(termOf('Location')).toBe('Lyon')
    await userEvent.click(screen.getByRole('tab', { name: /Events/ }))
    expect(screen.getByText('processing')).toBeTruthy()
  })

  it('shows the states waiting, running, done and error [TO-16]', async () => {
    const states: [Partial<ToolBlock> | null, string][] = [
      [null, 'Waiting'],
      [{ status: 'processing', result: null }, 'Running'],
      [{}, 'Completed'],
      [{ status: 'error', error: 'No.' }, 'Error'],
    ]
    for (const [patch, words] of states) {
      const { unmount } = await drawArtifact(patch)
      expect(screen.getByText(words)).toBeTruthy()
      unmount()
    }
  })

  it("explains why the tool's interface cannot be shown [TO-17]", async () => {
    const first = await drawArtifact({ tool_id: '' })
    expect(screen.getByText('Tool ID missing in artifact data.')).toBeTruthy()
    first.unmount()
    await drawArtifact({}, { 'GET /tools/weather': () => [403, { code: 'forbidden', detail: 'no' }] })
    expect(await screen.findByText('Failed to load tool details for UI.', {}, { timeout: 4000 })).toBeTruthy()
    act(() => clearToken())
    expect(screen.getByText('Authentication required to load tool details.')).toBeTruthy()
  })

  it('shows input and result unchanged when they are not JSON [TO-17]', async () => {
    await drawArtifact({ input: '{"location": ', result: '{"temp', status: 'complete', tool_id: 'zeppelin' })
    expect(screen.getAllByText(/\{"temp/).length).toBeGreaterThan(0)
    await userEvent.click(screen.getByRole('tab', { name: 'Input' }))
    expect(screen.getByText(/\{"location":/)).toBeTruthy()
  })

  const runnable = {
    'GET /tools/weather': () =>
      aTool({
        ui_location: inside,
        id: 'weather',
        input_schema: { properties: { location: { type: 'string' } }, required: ['location'] },
      }),
    'POST /tools/weather/execute': () => [202, { tool_execution_id: 'e2', status: 'pending' }],
  }
  const executed = (page: Awaited<ReturnType<typeof drawArtifact>>) =>
    page.sent.filter(({ path }) => path === '/tools/weather/execute').map(({ body }) => body)

  it('reruns a call with the same inputs, for the same chat [TO-14, SV-50]', async () => {
    const page = await drawArtifact({}, runnable)
    await userEvent.click(await screen.findByRole('button', { name: 'Run again' }))
    await waitFor(() => expect(useChatPanel.getState()).toMatchObject({ subject: 'e2', origin: 'call' }))
    expect(executed(page)).toEqual([{ inputs: { location: 'Lyon' }, session_id: 's1' }])
  })

  it('reruns it with other inputs and reports each invalid one [TO-14, SV-50]', async () => {
    let isRefused = true
    const refusal = { code: 'invalid', detail: 'no', errors: [{ path: 'location', message: 'Name a town' }] }
    const page = await drawArtifact(
      {},
      {
        ...runnable,
        'POST /tools/weather/execute': () =>
          isRefused ? [422, refusal] : runnable['POST /tools/weather/execute'](),
      },
    )
    await userEvent.click(await screen.findByRole('tab', { name: 'Input' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Edit and run' }))
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Location' })
    expect(field.value).toBe('Lyon')
    await userEvent.clear(field)
    await userEvent.type(field, 'Metz')
    await userEvent.click(screen.getByRole('button', { name: 'Run' }))
    expect(await screen.findByText('Name a town')).toBeTruthy()
    isRefused = false
    await userEvent.click(screen.getByRole('button', { name: 'Run' }))
    await waitFor(() => expect(useChatPanel.getState().subject).toBe('e2'))
    expect(executed(page).at(-1)).toEqual({ inputs: { location: 'Metz' }, session_id: 's1' })
  })

  it('fills the window, and on Escape shrinks back and restores the focus [TO-14, SH-12]', async () => {
    await drawArtifact({}, runnable)
    const full = await screen.findByRole('button', { name: 'Full screen' })
    await userEvent.click(full)
    const dialog = await screen.findByRole('dialog', { name: 'Weather' })
    expect(within(dialog).getByText('45 °F')).toBeTruthy()
    expect(within(dialog).getByRole('button', { name: 'Leave full screen' })).toBeTruthy()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(full))
  })

  it('shows the rerun next to the chat and links back to the call [TO-14]', async () => {
    useChatPanel.setState({ shown: 'artifact', subject: 'e2', origin: 'call' })
    const execution = anExecution({
      id: 'e2',
      input: { location: 'Metz' },
      result: { ...lyon, temperature: 51 },
    })
    await renderPage(<Artifact block={null} id="e2" sessionId="s1" />, {
      answers: { ...known, 'GET /tool-executions/e2': () => execution },
    })
    expect(await screen.findByText('51 °F')).toBeTruthy()
    expect(screen.getByText(/You ran this beside the chat/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Back to the tool in the chat' }))
    expect(useChatPanel.getState()).toMatchObject({ subject: 'call', origin: null })
  })

  it('reports a missing execution and a failed load [TO-17]', async () => {
    const none = await renderPage(<Artifact block={null} id="e3" sessionId="s1" />)
    expect(await screen.findByText('Nothing to show')).toBeTruthy()
    none.unmount()
    await renderPage(<Artifact block={null} id="e4" sessionId="s1" />, {
      answers: { 'GET /tool-executions/e4': () => [400, { code: 'malformed', detail: 'no' }] },
    })
    expect(await screen.findByText('What the tool did could not be loaded.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  })

  it('measures the scrollable height 100 ms after a state change [TO-13]', async () => {
    let height = 100
    vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockImplementation(() => height)
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(100)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    const { rerender, container } = render(<Scroller state="running" />)
    const hasMore = () => container.textContent === 'more below'
    await pass(100)
    expect(hasMore()).toBe(false)
    height = 400
    rerender(<Scroller state="done" />)
    await pass(99)
    expect(hasMore()).toBe(false)
    await pass(1)
    expect(hasMore()).toBe(true)
  })

  it('measures an execution when its state or tab changes [TO-13]', async () => {
    vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(400)
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(100)
    const { container } = await drawArtifact({ status: 'processing', result: null })
    await waitFor(() => expect(container.querySelector('.h-px.bg-line-2')).toBeTruthy())
  })
})

function Scroller({ state }: { state: string }) {
  const { scroller, hasMore } = useMoreBelow(state)
  return <div ref={scroller}>{hasMore ? 'more below' : 'all of it'}</div>
}
