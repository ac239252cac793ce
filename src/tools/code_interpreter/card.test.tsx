import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ToolBlock, ToolEvent } from '#shared/runs/runs/blocks.ts'
import type { MediaReference } from '#shared/tools/media/media.ts'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import type { CardBodyProps } from '../../web/platform/ui/card-parts.ts'
import { ToolCard } from '../../web/tools/tools/card/tool-card.tsx'
import card from './card.tsx'
import { readWork } from './read-work.ts'
import { writeLogs } from './rounds.ts'

const user = userEvent.setup()
afterEach(() => {
  leavePage()
  vi.useRealTimers()
})

const update = (phase: string, status: string, data?: Record<string, unknown>): ToolEvent => ({
  ...{ type: 'phase_update', phase, status },
  ...(data && { data }),
})
const media = (name: string, media_type: string): MediaReference => ({
  ...{ type: 'media_reference', id: crypto.randomUUID(), name, asset_filename: name, media_type },
  ...{ size: 2_048, url: `/api/v1/assets/tools/1/${name}` },
  download_url: `/api/v1/assets/tools/1/${name}?download=true`,
})
const begun = [
  update('SANDBOX_INIT', 'completed'),
  update('DOCUMENT_UPLOAD', 'completed', { uploaded_files: [{ id: 'd1', name: 'rents.xlsx', size: 9 }] }),
  update('PLANNING', 'completed', { plan: ['Read the table', 'Draw it'] }),
  update('EXECUTION', 'started', { total: 2 }),
]
const round = (number: number, step: string) =>
  update('EXECUTION_ROUND', 'started', { round: number, total: 2, step })
const first = [
  ...[...begun, round(1, 'Read the table')],
  update('CODE_GENERATION', 'completed', { round: 1, language: 'python', code: 'print(7)' }),
  update('CODE_EXECUTION', 'completed', { round: 1, stdout: '7\n', stderr: '', execution_status: 'success' }),
  update('EXECUTION_ROUND', 'completed', { round: 1 }),
]
const chart = media('chart.png', 'image/png')
const table = media('rents.csv', 'text/csv')
const logs = writeLogs([
  {
    number: 1,
    step: 'Read the table',
    status: 'success',
    language: 'python',
    code: 'print(7)',
    stdout: '7\n',
    stderr: '',
  },
  {
    number: 2,
    step: 'Draw it',
    status: 'success',
    language: 'python',
    code: 'draw()',
    stdout: 'drawn\n',
    stderr: '',
  },
])
const result = {
  plan: ['Read the table', 'Draw it'],
  logs,
  artifacts: [chart],
  generated_files: [table],
  error: null,
}
const input = { request: 'Draw the rents', context: 'In euros' }
/** Draws the card of a call in progress; `change` updates its props. */
let change: (props: Partial<CardBodyProps>) => void
function Going(first: CardBodyProps) {
  const [props, setProps] = useState(first)
  change = (more) => act(() => setProps((now) => ({ ...now, ...more })))
  return <card.Body {...props} />
}
const draw = (props: Partial<CardBodyProps>) =>
  renderPage(<Going status="done" input={input} result={null} events={[]} {...props} />, {
    path: '/chat/session-1',
    answers: {
      [`GET /assets/tools/1/${chart.name}`]: () => new Response(new Blob(['x'], { type: 'image/png' })),
    },
  })

describe('events of a call', () => {
  it('have five phases, and each phase completes the earlier ones [CI-16, CI-23]', () => {
    const all = (status: string) =>
      Object.fromEntries(
        ['SANDBOX_INIT', 'DOCUMENT_UPLOAD', 'PLANNING', 'EXECUTION', 'FINALIZATION'].map((phase) => [
          phase,
          status,
        ]),
      )
    expect(readWork([], null).phases).toEqual(all('pending'))
    expect(readWork([update('PLANNING', 'running')], null).phases).toEqual({
      ...all('pending'),
      ...{ SANDBOX_INIT: 'completed', DOCUMENT_UPLOAD: 'completed', PLANNING: 'started' },
    })
    const over = readWork([update('FINALIZATION', 'completed')], null)
    expect([over.phases, over.message]).toEqual([all('completed'), 'Finalizing and cleaning up...'])
    const missed = readWork([update('EXECUTION', 'failed'), update('FINALIZATION', 'completed')], null)
    expect(missed.phases).toEqual({ ...all('completed'), EXECUTION: 'failed' })
    const ended = readWork([], { ...result, error: 'It took too long.' })
    expect(ended.phases).toEqual({ ...all('completed'), EXECUTION: 'failed' })
  })

  it('has rounds, each with its step, code and output, and running until it ends [CI-15, CI-19, CI-20, CI-21]', () => {
    const [started] = readWork([round(1, 'Read')], null).rounds
    expect(started).toEqual({
      number: 1,
      step: 'Read',
      status: 'running',
      language: 'python',
      code: '',
      output: '',
    })
    expect(readWork(first, null).rounds).toEqual([
      {
        number: 1,
        step: 'Read the table',
        status: 'success',
        language: 'python',
        code: 'print(7)',
        output: '7\n',
      },
    ])
    for (const failed of [
      update('CODE_EXECUTION', 'failed', { round: 1, stdout: 'a', stderr: 'no' }),
      update('CODE_EXECUTION', 'completed', {
        round: 1,
        stdout: 'a',
        stderr: 'no',
        execution_status: 'error',
      }),
    ])
      expect(readWork([round(1, 'Read'), failed], null).rounds[0]).toMatchObject({
        status: 'error',
        output: 'a\nno',
      })
  })

  it('collects images and files [CI-22]', () => {
    const again = crypto.randomUUID()
    const events = [
      update('ARTIFACTS_GENERATED', 'completed', { new_artifacts: [chart] }),
      update('FILES_GENERATED', 'completed', { new_files: [table] }),
      update('ARTIFACTS_GENERATED', 'completed', {
        new_artifacts: [{ ...media('b.png', 'image/png') }, { ...chart, id: again }],
      }),
    ]
    const { artifacts, files } = readWork(events, null)
    expect([
      artifacts.map((made) => (typeof made === 'string' ? made : made.id === again || made.name)),
      files,
    ]).toEqual([['b.png', true], [table]])
  })

  it('ends with the result: plan, logs, artifacts, files and the reason for anything missing [CI-13]', () => {
    expect(readWork(first, result)).toMatchObject({
      plan: result.plan,
      logs,
      artifacts: [chart],
      files: [table],
      error: null,
    })
    expect(readWork([], result).rounds.map(({ number, output }) => [number, output])).toEqual([
      [1, '7'],
      [2, 'drawn'],
    ])
  })
})

const phases = () =>
  within(screen.getByRole('list', { name: 'Progress' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

/** A call that failed. */
const theBlock = {
  type: 'tool',
  id: 'x',
  tool_id: 'code_interpreter',
  tool_name: 'Code interpreter',
  events: [],
  input,
  result: null,
  error: 'Nothing can be run here.',
  status: 'error',
} as unknown as ToolBlock

const panelOf = (head: HTMLElement) => document.getElementById(head.getAttribute('aria-controls') ?? '')!

describe('code interpreter card', () => {
  it.each([
    ['Add the rents:\n```python\nprint(7)\n```', 'Add the rents:'],
    ['```python\nprint(7)\n```', 'print(7)'],
    ['Draw the rents', 'Draw the rents'],
  ])('says in its head what is wanted, without the marks of a program: %s', (request, words) => {
    expect(card.summarise?.({ request })).toBe(words)
  })

  it('shows a ready state for coding without input, and for execution with it [CI-05]', async () => {
    const block = {
      type: 'tool',
      id: 'x',
      tool_id: 'code_interpreter',
      tool_name: 'Code interpreter',
      status: 'complete',
      events: [],
      input: {},
      result: null,
      error: null,
    } as unknown as ToolBlock
    const view = await renderPage(<ToolCard block={block} />)
    expect(await screen.findByText('Ready to Code')).toBeTruthy()
    view.unmount()
    await draw({ status: 'input' })
    expect(screen.getByText('Ready to Execute')).toBeTruthy()
  })

  it('shows the request read-only, and collapses it half a second after the plan [CI-03, CI-04, CI-25]', async () => {
    await draw({ status: 'running', events: [update('SANDBOX_INIT', 'started')] })
    const head = screen.getByRole('button', { name: /^Intents/ })
    expect(head.getAttribute('aria-expanded')).toBe('true')
    const boxes = screen.getAllByRole('textbox') as HTMLTextAreaElement[]
    expect(boxes.map(({ value, readOnly }) => [value, readOnly])).toEqual([
      ['Draw the rents', true],
      ['In euros', true],
    ])
    expect(panelOf(head).className).toContain('max-h-[500px]')
    vi.useFakeTimers()
    change({ events: begun })
    act(() => void vi.advanceTimersByTime(450))
    expect(head.getAttribute('aria-expanded')).toBe('true')
    act(() => void vi.advanceTimersByTime(60))
    expect(head.getAttribute('aria-expanded')).toBe('false')
    vi.useRealTimers()
    await user.click(head)
    const file = screen.getByRole('link', { name: 'rents.xlsx' })
    expect(file.getAttribute('href')).toBe('?document=d1')
  })

  it('shows the current step, its phases, its steps and the files made so far [CI-06, CI-17]', async () => {
    const made = update('FILES_GENERATED', 'completed', { new_files: [table] })
    await draw({ status: 'running', events: [...first, round(2, 'Draw it'), made] })
    expect(screen.getByRole('status').textContent).toBe('Draw it')
    expect(phases()).toEqual([
      'Preparationdone',
      'Upload1 filedone',
      'Planningdone',
      'Programsunder way',
      'Finalizationwaiting',
    ])
    const steps = within(screen.getByRole('list', { name: 'Steps' }))
    expect(steps.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Read the tablesuccessful',
      'Draw itrunning',
    ])
    expect(screen.getByText('rents.csv')).toBeTruthy()
    leavePage()
    await draw({
      status: 'running',
      events: [update('DOCUMENT_UPLOAD', 'completed', { uploaded_files: [] })],
    })
    expect(phases()[1]).toBe('Uploadskippeddone')
  })

  it('says that it is finalizing once that phase ended [CI-23]', async () => {
    await draw({ status: 'running', events: [...first, update('FINALIZATION', 'completed')] })
    expect(screen.getByRole('status').textContent).toBe('Finalizing and cleaning up...')
  })

  it('expands a step to its code and output, and marks a failed one [CI-24]', async () => {
    const failed = update('CODE_EXECUTION', 'failed', { round: 2, stdout: '', stderr: 'KeyError: rent' })
    await draw({ status: 'running', events: [...first, round(2, 'Draw it'), failed] })
    const step = screen.getByRole('button', { name: /^Draw it/ })
    expect(step.textContent).toBe('Draw iterror')
    expect(screen.queryByText('KeyError: rent')).toBeNull()
    await user.click(step)
    expect(screen.getByText('KeyError: rent')).toBeTruthy()
  })

  it('has tabs after the end: the output, the last code, and the steps with the logs [CI-07, CI-08, CI-09, CI-10, CI-25]', async () => {
    const view = await draw({ result, events: first })
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      'Output2',
      'Code',
      'Details2',
    ])
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Output2')
    expect(screen.getByText('drawn').className).toContain('max-h-[300px]')
    expect(screen.getByRole('button', { name: 'Copy the output' })).toBeTruthy()
    expect(screen.getByText('rents.csv')).toBeTruthy()
    await user.click(screen.getByRole('tab', { name: /Code/ }))
    expect(view.container.textContent).toContain('draw()')
    expect(view.container.textContent).not.toContain('print(7)')
    await user.click(screen.getByRole('tab', { name: /Details/ }))
    await user.click(screen.getByText('Logs'))
    expect(screen.getByText(/^Round 1\/2: Read the table/).className).toContain('max-h-[400px]')
    expect(screen.getByRole('button', { name: 'Copy the logs' })).toBeTruthy()
    change({ status: 'running', result: null })
    change({ status: 'done', result })
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Output2')
  })

  it('opens an image in full-window view [CI-11]', async () => {
    URL.createObjectURL = () => 'blob:chart'
    await draw({ result })
    const images = await screen.findAllByRole('button', { name: 'Enlarge chart.png' })
    await waitFor(() => expect(screen.getByRole('img', { name: 'chart.png' })).toBeTruthy())
    await user.click(images[0]!)
    const overlay = within(await screen.findByRole('dialog', { name: 'chart.png' }))
    expect(overlay.getByRole('button', { name: 'Close image' })).toBeTruthy()
    expect(overlay.getByRole('button', { name: 'Download image' })).toBeTruthy()
  })

  it('has a status badge: running, completed or error [CI-02]', async () => {
    const block = { ...theBlock, status: 'processing', result: null, error: null }
    const view = await renderPage(<ToolCard block={block as ToolBlock} />)
    expect(await screen.findByText('Running')).toBeTruthy()
    view.unmount()
    const over = await renderPage(<ToolCard block={{ ...block, status: 'complete', result } as ToolBlock} />)
    expect(await screen.findByText('Completed')).toBeTruthy()
    over.unmount()
    const failed = { ...block, status: 'error', error: 'Nothing can be run here.' }
    await renderPage(<ToolCard block={failed as ToolBlock} />)
    expect(await screen.findByText('Error')).toBeTruthy()
  })

  it('shows that it failed and why, together with a partial result [CI-12]', async () => {
    const block = theBlock
    const view = await renderPage(<ToolCard block={block} />)
    expect(await screen.findByText('Execution Failed')).toBeTruthy()
    expect(screen.getByText('Nothing can be run here.')).toBeTruthy()
    view.unmount()
    const partly = { ...result, error: 'The program took too long and was ended.' }
    await renderPage(
      <ToolCard block={{ ...block, status: 'complete', error: null, result: partly } as ToolBlock} />,
    )
    expect(await screen.findByText(partly.error)).toBeTruthy()
    expect(screen.getByText('drawn')).toBeTruthy()
    expect(screen.getByText('Error')).toBeTruthy()
  })
})

describe('files made by a program', () => {
  const event = (phase: string, data: Record<string, unknown>) => update(phase, 'completed', data)

  it('show a placeholder by name until the file arrives [TO-25]', async () => {
    const told = [...first, event('FILES_GENERATED', { new_files: ['table.csv'] })]
    await draw({ status: 'running', events: told })
    expect((await screen.findByText('table.csv is being made')).getAttribute('role')).toBe('status')
    expect(screen.queryByRole('button', { name: 'Download table.csv' })).toBeNull()
    change({ events: [...told, event('FILES_GENERATED', { new_files: [media('table.csv', 'text/csv')] })] })
    expect(await screen.findByRole('button', { name: 'Download table.csv' })).toBeTruthy()
    expect(screen.queryByText('table.csv is being made')).toBeNull()
    leavePage()
    await draw({
      status: 'running',
      events: [...first, event('ARTIFACTS_GENERATED', { new_artifacts: ['plot.png'] })],
    })
    expect(await screen.findByText('plot.png is being made')).toBeTruthy()
  })

  it('are downloaded with the token, shown or saved; a file without an address is only logged [TO-26]', async () => {
    const asked: [string, string | null][] = []
    const noted = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    const file = (name: string, addresses: object) => ({ type: 'media_reference', name, ...addresses })
    const files = [
      file('own.csv', { url: '/api/v1/assets/tools/1/own.csv', download_url: '/api/v1/not-this' }),
      file('late.csv', { url: null, download_url: '/api/v1/assets/tools/1/late.csv?download=true' }),
      file('foreign.csv', { url: 'https://elsewhere.example/foreign.csv' }),
      file('none.csv', {}),
    ]
    await draw({ status: 'running', events: [...first, event('FILES_GENERATED', { new_files: files })] })
    globalThis.fetch = async (url, init) => {
      asked.push([String(url), new Headers(init?.headers).get('authorization')])
      return new Response('bytes')
    }
    const save = async (name: string) =>
      act(async () => (await screen.findByRole('button', { name: `Download ${name}` })).click())
    await save('own.csv')
    await save('late.csv')
    await waitFor(() => expect(saved).toHaveBeenCalledTimes(2))
    expect(asked).toEqual([
      [`${location.origin}/api/v1/assets/tools/1/own.csv`, 'Bearer test-token'],
      [`${location.origin}/api/v1/assets/tools/1/late.csv?download=true`, 'Bearer test-token'],
    ])
    await save('foreign.csv')
    await save('none.csv')
    expect([asked.length, saved.mock.calls.length]).toEqual([2, 2])
    expect(noted).toHaveBeenCalledExactlyOnceWith('Invalid file object', files[3])
  })
})
