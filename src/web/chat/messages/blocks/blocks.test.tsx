import { act, cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Block, ToolBlock } from '#shared/runs/runs/blocks.ts'
import common from '../../../../../locales/en/common.json' with { type: 'json' }
import texts from '../../../../../locales/en/streaming_blocks.json' with { type: 'json' }
import toolTexts from '../../../../../locales/en/tool_ui.json' with { type: 'json' }
import { checkpointLabel } from './checkpoint-label.ts'
import { type Group, groupBlocks } from './group-blocks.ts'
import { MessageBlocks } from './message-blocks.tsx'

beforeAll(() =>
  i18next
    .use(initReactI18next)
    .init({ lng: 'en', resources: { en: { common, streaming_blocks: texts, tool_ui: toolTexts } } }),
)
afterEach(() => {
  vi.useRealTimers()
  cleanup()
})

const thought = (patch: object = {}): Block => ({
  ...{
    type: 'thinking',
    id: 'thinking-0',
    text: 'Let me see',
    started_at: '',
    last_at: '',
    duration_ms: null,
  },
  ...patch,
})
const step = (number: number, patch: object = {}): Extract<Block, { type: 'step' }> => ({
  ...{ type: 'step', id: `step-${number}`, number, description: 'Read the contract', completed: false },
  ...{ progress: null, message: null, single_step: false, ...patch },
})
const text = (id: string, words: string): Block => ({ type: 'text', id, text: words })
const checkpoint = (name: string): Block => ({
  ...{ type: 'checkpoint', id: name, checkpoint_name: name, created_at: '', run_id: 'r' },
})
const tool = (patch: Partial<ToolBlock> = {}): ToolBlock => ({
  ...{
    type: 'tool',
    id: 'call',
    tool_id: 'calculator',
    tool_name: 'calculator',
    status: 'complete',
    error: null,
  },
  ...{ input: { a: 6, b: 4, operation: 'divide' }, result: { result: 1.5 }, events: [], ...patch },
})

describe('thinking', () => {
  it('are open while streaming and close 1 s after the end [BL-04]', () => {
    vi.useFakeTimers()
    const view = render(<MessageBlocks blocks={[thought()]} growing />)
    expect(screen.getByText('Let me see')).toBeTruthy()
    view.rerender(<MessageBlocks blocks={[thought({ duration_ms: 6000 }), text('text-1', 'So')]} growing />)
    act(() => vi.advanceTimersByTime(990))
    expect(screen.getByText('Let me see')).toBeTruthy()
    act(() => vi.advanceTimersByTime(20))
    expect(screen.queryByText('Let me see')).toBeNull()
    expect(screen.getByRole('button', { name: 'Thought for 6 s' }).getAttribute('aria-expanded')).toBe(
      'false',
    )
  })

  it('are closed in a finished message and can be opened [BL-04]', async () => {
    render(<MessageBlocks blocks={[thought({ duration_ms: 900 })]} growing={false} />)
    act(() => void vi.waitFor(() => undefined))
    await userEvent.click(screen.getByRole('button', { name: 'Thought for 1 s' }))
    expect(screen.getByText('Let me see')).toBeTruthy()
  })
})

const namesIn = (group: Group): unknown => {
  if (group.kind === 'step') return group.parts.map(namesIn)
  if (group.kind === 'block') return group.block.type
  return group.blocks.length
}

describe('steps', () => {
  const heads = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)

  it('show Step N: description, then a check mark, a percentage or dots [BL-01]', () => {
    const planned = [{ number: 4, description: 'Compare prices' }]
    const blocks = [step(1, { completed: true }), step(2, { progress: 62 }), step(3)]
    const view = render(<MessageBlocks blocks={blocks} growing planned={planned} />)
    expect(heads().map((text) => text?.replace(/running$/, ''))).toEqual([
      ...['Step 1: Read the contractcompleted', 'Step 2: Read the contractrunning62 %'],
      ...['Step 3: Read the contract', 'Step 4: Compare prices…to come'],
    ])
    const [done] = screen.getAllByRole('heading', { level: 3 })
    const words = within(done!).getByText('Read the contract')
    const mark = done!.querySelector('.text-success')!
    expect(words.compareDocumentPosition(mark)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    expect(screen.getAllByRole('progressbar')[0]?.getAttribute('aria-valuenow')).toBe('62')
    view.rerender(<MessageBlocks blocks={blocks} growing={false} />)
    expect(heads()[2]).toBe('Step 3: Read the contract…')
  })

  it('are open while they run, close when they finish or by hand, and can be opened again [BL-03]', async () => {
    const blocks = [
      ...[step(1, { completed: true }), text('text-1', 'What was found'), checkpoint('after_step0')],
      ...[step(2, { message: 'Half way' })],
    ]
    const view = render(<MessageBlocks blocks={blocks} growing />)
    expect(screen.queryByText('What was found')).toBeNull()
    expect(screen.getByText('Half way')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Fold step 2' }))
    expect(screen.queryByText('Half way')).toBeNull()
    view.rerender(<MessageBlocks blocks={blocks} growing={false} />)
    expect(screen.queryByText('What was found')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Open step 1' }))
    expect(screen.getByText('What was found')).toBeTruthy()
  })

  it('contain their own blocks, with the answer outside', () => {
    const groups = groupBlocks([
      ...[step(1, { completed: true }), text('text-1', 'found'), tool(), checkpoint('after_step1')],
      ...[text('text-4', 'answer'), checkpoint('completed')],
    ])
    expect(groups.map(namesIn)).toEqual([['text', 'tool'], 1, 'text', 1])
    const direct = [step(1, { completed: true }), text('text-1', 'answer'), checkpoint('completed')]
    expect(groupBlocks(direct).map(namesIn)).toEqual([[], 'text', 1])
  })

  it('contain only their own blocks if they are concurrent [BL-03]', () => {
    const groups = groupBlocks([
      ...[step(1), { ...tool({ id: 'a' }), step: 1 }],
      ...[step(2), { ...tool({ id: 'b' }), step: 2 }],
      { ...tool({ id: 'c' }), step: 1 },
    ])
    expect(groups.map(namesIn)).toEqual([['tool', 'tool'], ['tool']])
  })

  it('show a failure with its reason [BL-01]', () => {
    const failed = step(1, { failed: true, message: 'The provider does not answer.' })
    render(<MessageBlocks blocks={[failed, step(2)]} growing />)
    expect(screen.getByText('failed')).toBeTruthy()
    expect(screen.getByText('The provider does not answer.')).toBeTruthy()
  })

  it('are listed before they start [ST-08]', () => {
    const planned = [{ number: 2, description: 'Compare prices' }]
    const view = render(<MessageBlocks blocks={[step(1)]} growing planned={planned} />)
    expect(screen.getByRole('heading', { name: /Step 2.*Compare prices.*to come/ })).toBeTruthy()
    view.rerender(<MessageBlocks blocks={[step(1)]} growing={false} planned={planned} />)
    expect(screen.queryByText('Compare prices')).toBeNull()
  })

  it('name checkpoints after what they represent [CK-07, CK-08]', () => {
    const names = [
      ...['step0', 'after_step0', 'llm_checkpoint_2', 'waiting_for_input_after_step1'],
      ...['waiting_for_input_after_step1_with_input', 'mine_with_input', 'sub2.llm_checkpoint'],
      ...['completed', 'mine'],
    ]
    expect(names.map((name) => checkpointLabel(i18next.t, name))).toEqual([
      ...['Before step 1', 'After step 1', 'Point 2', 'Question to you'],
      ...['With your answer', 'With your answer', 'Point in the work', 'Completed', 'mine'],
    ])
  })

  const lines = () =>
    screen
      .queryAllByRole('button', { name: /checkpoint/ })
      .map(({ textContent }) => textContent?.replace(/, \d checkpoints?/, ''))
  const inSteps = [
    ...[checkpoint('llm_checkpoint_1'), checkpoint('step0'), step(1, { completed: true })],
    ...[checkpoint('llm_checkpoint_2'), text('text-2', 'found'), checkpoint('llm_checkpoint_3'), tool()],
    ...[checkpoint('after_step0'), checkpoint('llm_checkpoint_4'), text('answer', 'So.')],
    checkpoint('completed'),
  ]

  it('show every checkpoint, with neighbours as one line: the first ones, those inside a step, the last one [CK-09]', async () => {
    const view = render(<MessageBlocks blocks={inSteps} growing />)
    expect(lines()).toEqual(['Before step 1+1', 'After step 1+1', 'Completed'])
    await userEvent.click(screen.getByRole('button', { name: 'Open step 1' }))
    expect(lines()).toEqual([...['Before step 1+1', 'Point 2', 'Point 3', 'After step 1+1', 'Completed']])
    await userEvent.click(screen.getByRole('button', { name: 'Fold step 1' }))
    view.rerender(<MessageBlocks blocks={inSteps} growing={false} />)
    expect(lines()).toEqual(['Before step 1+1', 'After step 1+1', 'Completed'])
    await userEvent.click(screen.getByRole('button', { name: 'After step 1, 2 checkpoints' }))
    const items = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)
    expect(items).toEqual(['After step 1', 'Point 4'])
    await userEvent.click(screen.getByRole('button', { name: 'After step 1, 2 checkpoints' }))
    expect(screen.queryAllByRole('listitem')).toEqual([])
  })

  const asked = (name: string, patch: object = {}): Block => ({
    ...{ type: 'input_required', id: name, checkpoint_name: name, prompt: 'May I?', input_types: [] },
    ...{ kind: 'approval', tool: { tool_id: 'calculator', tool_name: 'calculator', tool_execution_id: 'x' } },
    ...{ state: 'provided', input: { approved: true }, created_at: '', deadline: null, ...patch },
  })
  const sum = (number: number): Block[] => [
    ...[
      checkpoint(`llm_checkpoint_${number}`),
      text(`text-${number}`, 'Then'),
      tool({ id: `call-${number}` }),
    ],
    ...[checkpoint(`waiting_for_input_${number}`), asked(`waiting_for_input_${number}`)],
    checkpoint(`waiting_for_input_${number}_with_input`),
  ]

  it('merge an answered request and its checkpoints into one row, which expands to them [CK-09]', async () => {
    const blocks = [...sum(1), ...sum(2), ...sum(3), checkpoint('llm_checkpoint_4'), text('end', 'Done.')]
    render(<MessageBlocks blocks={[...blocks, checkpoint('completed')]} growing={false} />)
    const rows = await screen.findAllByRole('heading', { name: /^Approved/ })
    expect(rows).toHaveLength(3)
    expect(lines()).toEqual(['Completed'])
    await userEvent.click(screen.getAllByRole('button', { name: 'Show input' })[0]!)
    const items = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)
    expect(items).toEqual(['Point 1', 'Question to you', 'With your answer', 'Point 2'])
  })

  it('show no line above a text that uses a tool, neither live nor later [CK-09]', () => {
    const begun = [checkpoint('llm_checkpoint_1'), text('text-0', 'Let me see.')]
    const names = (blocks: Block[]) => groupBlocks(blocks).map(namesIn)
    expect(names([...begun, tool()])).toEqual(['text', 'tool', 1])
    const used = [...begun, tool(), checkpoint('llm_checkpoint_2'), text('text-1', 'Done.')]
    expect(names(used)).toEqual(['text', 'tool', 2, 'text'])
  })

  it('keep separate lines for a waiting request, and for a checkpoint after a step [CK-09]', () => {
    const waiting = asked('waiting_for_input_1', { state: 'waiting' })
    expect(groupBlocks([checkpoint('waiting_for_input_1'), waiting]).map(namesIn)).toEqual([
      ...[1, 'input_required'],
    ])
    const name = 'waiting_for_input_after_step0'
    const groups = groupBlocks([
      ...[step(1, { completed: true }), checkpoint(name), asked(name), checkpoint(`${name}_with_input`)],
      ...[checkpoint('after_step0'), checkpoint('step1'), step(2)],
    ])
    expect(groups.map(namesIn)).toEqual([[], 2, 2, []])
  })

  it('show their duration, and count while running [BL-01]', () => {
    vi.useFakeTimers({ now: Date.parse('2026-01-01T10:00:30.400Z') })
    const begun = { started_at: '2026-01-01T10:00:00.000Z' }
    const done = { ...begun, completed: true }
    const blocks = [
      ...[step(1, { ...done, duration_ms: 14_400 }), step(2, { ...done, duration_ms: 75_000 })],
      ...[step(3, done), step(4, begun)],
    ]
    render(<MessageBlocks blocks={blocks} growing />)
    const times = () =>
      heads().map((_, at) => screen.getAllByRole('heading')[at]?.querySelector('[data-time]')?.textContent)
    expect(times()).toEqual(['14\u00a0s', '1:15', undefined, '0:30'])
    act(() => vi.advanceTimersByTime(1000))
    expect(times()[3]).toBe('0:31')
  })

  it('are one quiet line if there is only one [BL-02]', () => {
    render(<MessageBlocks blocks={[step(1, { single_step: true, completed: true })]} growing={false} />)
    expect(screen.getByText('Read the contract')).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('tools', () => {
  it('show inputs and result of a calculation [BL-05, CA-01]', async () => {
    render(<MessageBlocks blocks={[tool()]} growing={false} />)
    expect(await screen.findByRole('heading', { name: 'Calculator' })).toBeTruthy()
    expect(await screen.findByText('6 ÷ 4 =')).toBeTruthy()
    expect(screen.getByText('1.5')).toBeTruthy()
    expect(screen.getByText('Completed')).toBeTruthy()
  })

  it.each([
    ['pending', 'Waiting'],
    ['processing', 'Running'],
    ['streaming', 'Running'],
    ['complete', 'Completed'],
    ['failed', 'Error'],
    ['error', 'Error'],
  ] as const)('%s shows %s [BL-05]', async (status, words) => {
    const unstarted = { input: null, result: null }
    const block = tool({ status, ...(status === 'pending' ? unstarted : {}) })
    render(<MessageBlocks blocks={[block]} growing={false} />)
    expect(await screen.findByText(words)).toBeTruthy()
  })

  it('show the reason of a failure [CA-02]', async () => {
    render(
      <MessageBlocks blocks={[tool({ status: 'failed', error: 'Division by zero.' })]} growing={false} />,
    )
    expect((await screen.findByRole('alert')).textContent).toContain('Division by zero.')
  })

  it('show inputs and result of any other tool', async () => {
    render(
      <MessageBlocks
        blocks={[
          tool({ tool_id: 'x', tool_name: 'web_search', input: { query: 'rates' }, result: 'three hits' }),
        ]}
        growing={false}
      />,
    )
    expect(await screen.findByRole('heading', { name: 'Web search' })).toBeTruthy()
    expect(screen.getByText('three hits')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Inputs' }))
    expect(screen.getByText('Query', { selector: 'dt' }).nextElementSibling?.textContent).toBe('rates')
  })
})

it('show a skipped question as skipped [CK-11]', async () => {
  const block: Block = {
    ...{ type: 'input_required', id: 'ask', checkpoint_name: 'waiting_for_input', prompt: 'Which day?' },
    ...{ input_types: ['text'], state: 'provided', input: null, input_type: 'skipped' },
    ...{ created_at: '2026-01-01T00:00:00Z', deadline: null },
  }
  render(<MessageBlocks blocks={[block]} growing={false} />)
  expect(await screen.findByText('Question skipped')).toBeTruthy()
  expect(screen.getAllByText('Which day?')[0]?.textContent).toBe('Which day?')
  expect(screen.queryByText('Input provided')).toBeNull()
})

it('show a declined call as declined, not provided', async () => {
  const tool = { tool_execution_id: 'e1', tool_id: 'calculator', tool_name: 'Calculator' }
  const asked: Block = {
    ...{ type: 'input_required', id: 'ask', checkpoint_name: 'waiting_for_input', kind: 'approval', tool },
    ...{ prompt: 'Allow “Calculator” to run?', input_types: ['json'], state: 'provided', deadline: null },
    ...{ input: { approved: false, reason: 'Use May' }, created_at: '2026-01-01T00:00:00Z' },
  }
  const { rerender } = render(<MessageBlocks blocks={[asked]} growing={false} />)
  expect(await screen.findByRole('heading', { name: /Declined.*Use May/ })).toBeTruthy()
  expect(screen.queryByText('Input provided')).toBeNull()
  rerender(<MessageBlocks blocks={[{ ...asked, input: { approved: true } }]} growing={false} />)
  expect(await screen.findByRole('heading', { name: /Approved/ })).toBeTruthy()
})

describe('sources of a text', () => {
  const sources = Array.from({ length: 7 }, (_, at) => ({
    ...{ id: `https://www.example.org/${at + 1}`, url: `https://www.example.org/${at + 1}` },
    ...{ number: at + 1, title: at === 1 ? null : `Page ${at + 1}` },
  }))
  const show = (shown: typeof sources) =>
    render(
      <MessageBlocks
        blocks={[{ type: 'text', id: 't', text: 'It rains.', sources: shown }]}
        growing={false}
      />,
    )

  it('are numbered links with their host, which open next to the chat; of many only the first few', async () => {
    show(sources)
    const list = await screen.findByRole('region', { name: 'Sources' })
    expect([...list.querySelectorAll('li')].map((item) => item.textContent)).toEqual([
      ...['1Page 1example.org', '2example.org', '3Page 3example.org', '4Page 4example.org'],
      '5Page 5example.org',
    ])
    const link = screen.getByRole('link', { name: 'Page 1' })
    expect([link.getAttribute('href'), link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
      ...['https://www.example.org/1', '_blank', 'noreferrer noopener'],
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Show all 7 sources' }))
    expect(screen.getAllByRole('link')).toHaveLength(7)
  })

  it('are plain text if their address is not a web link', async () => {
    show([{ id: 'x', url: 'javascript:alert(1)', number: 1, title: 'A page' }])
    expect(await screen.findByText('A page')).toBeTruthy()
    expect(screen.queryByRole('link')).toBeNull()
  })
})
