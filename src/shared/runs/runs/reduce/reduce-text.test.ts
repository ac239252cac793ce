import { describe, expect, it } from 'vitest'
import { at, beginStep, chunk, complete, endText, fail, fold, say, think, tool } from '#tests/run-events.ts'
import type { Waiting } from '../view.ts'
import { applyEvent } from './reduce.ts'

const name = (id: string, title = id) => ({ id, title, url: `https://${id}.test` })
const rely = (...ids: string[]) => say({ event: 'response_sources', sources: ids.map((id) => name(id)) })
const doubt = { kind: 'uncited' as const, at: 0, length: 3, numbers: [] }
const check = (...doubts: (typeof doubt)[]) => say({ event: 'response_checked', doubts })
const model = (id: string) => ({ id, name: id.toUpperCase() })
const fallback = (asked: string, answered: string) =>
  say({ event: 'model_fallback', asked: model(asked), answered: model(answered), reason: 'timeout' })
const wait = (limit: Waiting | null) => say({ event: 'model_waiting', limit })

describe('message text', () => {
  it('grows in its own step while other steps write', () => {
    const view = fold(
      ...[beginStep(1), beginStep(2), chunk('b', 2), chunk('a', 1), chunk('A', 1), chunk('B', 2)],
    )
    expect(view.content).toBe('baAB')
    expect(view.blocks).toMatchObject([
      { type: 'step', number: 1 },
      { type: 'text', id: 'text-1.0', text: 'aA', step: 1 },
      { type: 'step', number: 2 },
      { type: 'text', id: 'text-2.0', text: 'bB', step: 2 },
    ])
  })

  it('starts a new block after a tool, and after the steps when it belongs to none', () => {
    const inStep = fold(beginStep(1), chunk('a', 1), tool({}, 'call', 1), chunk('b', 1))
    expect(inStep.blocks.map(({ id }) => id)).toEqual(['step-1', 'text-1.0', 'call', 'text-1.2'])
    const after = fold(beginStep(1), chunk('a', 1), chunk('b'), chunk('c'))
    expect(after.blocks.slice(1)).toEqual([
      { type: 'text', id: 'text-1.0', text: 'a', step: 1 },
      { type: 'text', id: 'text-2', text: 'bc' },
    ])
  })

  it('ignores empty text and empty thoughts', () => {
    const view = fold(chunk('a'))
    expect(applyEvent(view, chunk(''))).toBe(view)
    expect(applyEvent(view, think(''))).toBe(view)
  })

  it('marks only the text that ended as cut, and clears the mark when it continues', () => {
    const cut = fold(chunk('a'), tool({}), chunk('b'), endText(true))
    expect(cut.blocks[0]).not.toHaveProperty('is_cut')
    expect(cut.blocks[2]).toMatchObject({ text: 'b', is_cut: true })
    expect(applyEvent(cut, endText(true))).toBe(cut)
    expect(applyEvent(cut, endText())?.blocks[2]).not.toHaveProperty('is_cut')
    const behindTool = fold(chunk('a'), tool({}), endText(true))
    expect(behindTool.blocks[0]).toMatchObject({ text: 'a', is_cut: true })
    const view = fold(chunk('a'))
    expect(applyEvent(view, endText(false))).toBe(view)
    expect(applyEvent(view, endText())).toBe(view)
    const silent = fold(tool({}))
    expect(applyEvent(silent, endText(true))).toBe(silent)
  })

  it('marks a text that a content filter stopped, and clears the mark when it continues', () => {
    const end = (is_filtered?: boolean) =>
      say({ event: 'response_stream_end', message_id: 'reply', ...(is_filtered && { is_filtered }) })
    const view = fold(chunk('a'), end(true))
    expect(view.blocks).toEqual([expect.objectContaining({ text: 'a', is_filtered: true })])
    expect(applyEvent(view, end(true))).toBe(view)
    expect(applyEvent(view, end())?.blocks[0]).not.toHaveProperty('is_filtered')
  })

  it('marks the text of its own step as cut', () => {
    const view = fold(beginStep(1), chunk('a', 1), beginStep(2), chunk('b', 2), endText(true, 1))
    expect(view.blocks.map((block) => block.type === 'text' && block.is_cut)).toEqual([
      ...[false, true, false, undefined],
    ])
  })
})

describe('sources of a text', () => {
  it('numbers each source once, in the order of naming, in the newest text', () => {
    const view = fold(chunk('a'), tool({}), chunk('b'), rely('x', 'y'), rely('y', 'z'))
    expect(view.blocks[0]).not.toHaveProperty('sources')
    expect(view.blocks[2]).toMatchObject({ sources: [{ id: 'x', number: 1 }, { id: 'y' }, { id: 'z' }] })
    const sources = view.blocks[2]?.type === 'text' ? view.blocks[2].sources : []
    expect(sources?.map(({ number }) => number)).toEqual([1, 2, 3])
    expect(fold(chunk('a'), tool({}), rely('x')).blocks[0]).toMatchObject({ sources: [{ id: 'x' }] })
  })

  it('keeps the first name of a source and at most a hundred sources', () => {
    const again = say({ event: 'response_sources', sources: [name('x', 'Renamed')] })
    expect(fold(chunk('a'), rely('x'), again).blocks).toMatchObject([
      { sources: [{ id: 'x', title: 'x', number: 1 }] },
    ])
    const many = fold(chunk('a'), rely(...Array.from({ length: 120 }, (_, n) => `s${n}`))).blocks[0]
    expect(many?.type === 'text' && many.sources?.length).toBe(100)
    expect(many?.type === 'text' && many.sources?.at(-1)).toMatchObject({ id: 's99', number: 100 })
  })

  it('ignores sources without a text and empty lists', () => {
    const silent = fold(tool({}))
    expect(applyEvent(silent, rely('x'))).toBe(silent)
    const text = fold(chunk('a'))
    expect(applyEvent(text, rely())).toBe(text)
  })
})

describe('doubts about a text', () => {
  it('replaces the doubts of the newest text and removes an empty list', () => {
    const doubted = fold(chunk('a'), tool({}), chunk('b'), check(doubt, doubt), check(doubt))
    expect(doubted.blocks[0]).not.toHaveProperty('doubts')
    expect(doubted.blocks[2]).toMatchObject({ text: 'b', doubts: [doubt] })
    expect(applyEvent(doubted, check())?.blocks[2]).toEqual({ type: 'text', id: 'text-2', text: 'b' })
    expect(fold(chunk('a'), tool({}), check(doubt)).blocks[0]).toMatchObject({ doubts: [doubt] })
    const silent = fold(tool({}))
    expect(applyEvent(silent, check(doubt))).toBe(silent)
  })
})

describe('model fallback', () => {
  it('shows one line from the first model to the one that answered', () => {
    const way = fold(fallback('a', 'b'), fallback('b', 'c'), chunk('Hi'))
    expect(way.blocks[0]).toEqual({
      ...{ type: 'fallback', id: 'fallback-0', asked: model('a'), answered: model('c'), reason: 'timeout' },
    })
    const apart = fold(fallback('a', 'b'), fallback('a', 'd'), chunk('Hi'), fallback('d', 'e'))
    expect(apart.blocks.map(({ id }) => id)).toEqual(['fallback-0', 'fallback-1', 'text-2', 'fallback-3'])
  })

  it('belongs to the step that calls the model', () => {
    const inStep = { ...fallback('a', 'b'), step_key: 'step1/sub1.model:1' }
    const view = fold(beginStep(1), beginStep(2), inStep)
    expect(view.blocks.map(({ id }) => id)).toEqual(['step-1', 'fallback-1.0', 'step-2'])
    expect(view.blocks[1]).toMatchObject({ step: 1 })
  })

  it('leaves out fallback models that did not answer', () => {
    const unanswered = fold(chunk('Hi'), tool({}), fallback('a', 'b'), fail('No'))
    expect(unanswered.blocks.map(({ type }) => type)).toEqual(['text', 'tool', 'error'])
    expect(fold(fallback('a', 'b'), chunk('Hi'), fail('No')).blocks.map(({ type }) => type)).toEqual([
      ...['fallback', 'text', 'error'],
    ])
  })

  it('shows the wait for a minute limit until it ends or the run ends', () => {
    const limit = { of: 'tokens' as const, per_minute: 5 }
    const view = fold(wait(limit))
    expect(view.waiting).toEqual(limit)
    for (const event of [wait(null), complete(), fail('No')])
      expect(applyEvent(view, event)).not.toHaveProperty('waiting')
  })
})

describe('thought', () => {
  const later = '2026-01-01T00:00:02.000Z'
  const latest = '2026-01-01T00:00:05.000Z'

  it('lasts from the first to the last delta, merged ones included', () => {
    const merged = say({ event: 'agent_thinking', content: 'b', timestamp: later, until: latest })
    expect(fold(think('a'), merged).blocks).toEqual([
      {
        ...{ type: 'thinking', id: 'thinking-0', text: 'ab', started_at: at, last_at: latest },
        duration_ms: null,
      },
    ])
    expect(fold(think('a'), merged, chunk('.')).blocks[0]).toMatchObject({ duration_ms: 5_000 })
    expect(fold(think('a'), think('b', later), complete()).blocks[0]).toMatchObject({ duration_ms: 2_000 })
  })

  it('starts a new block after the previous thought ended', () => {
    const view = fold(think('a'), tool({}), think('b', later), think('c', latest))
    expect(view.blocks).toMatchObject([
      { id: 'thinking-0', text: 'a', duration_ms: 0 },
      { id: 'call' },
      { id: 'thinking-2', text: 'bc', started_at: later, duration_ms: null },
    ])
    const ended = fold(think('a'), complete())
    expect(applyEvent(ended, think('b'))?.blocks.map(({ id }) => id)).toEqual(['thinking-0', 'thinking-1'])
  })

  it('continues in its step while another step thinks', () => {
    const view = fold(
      ...[beginStep(1), beginStep(2), think('a', at, 1), think('b', at, 2), think('A', later, 1)],
    )
    expect(view.blocks).toMatchObject([
      { number: 1 },
      { text: 'aA', step: 1, duration_ms: null },
      { number: 2 },
      { text: 'b', step: 2, duration_ms: null },
    ])
  })

  it('is removed when it was the answer, which follows as text', () => {
    const retold = (step_key?: string) => say({ event: 'thinking_retold' }, step_key)
    const view = fold(think('a'), tool({}), think('b'), retold(), chunk('b'))
    expect(view.blocks).toMatchObject([{ text: 'a' }, { id: 'call' }, { type: 'text', text: 'b' }])
    const steps = fold(
      beginStep(1),
      beginStep(2),
      think('a', at, 1),
      think('b', at, 2),
      retold('step1/model'),
    )
    expect(steps.blocks).toMatchObject([{ number: 1 }, { number: 2 }, { text: 'b', step: 2 }])
    expect(fold(chunk('a'), retold()).blocks).toEqual(fold(chunk('a')).blocks)
    // The thought of a step is not one of the message.
    expect(fold(beginStep(1), think('a', at, 1), retold()).blocks).toHaveLength(2)
  })

  it('has no duration without timestamps, and never a negative one', () => {
    expect(fold(think('a', ''), chunk('.')).blocks[0]).toMatchObject({ duration_ms: 0 })
    expect(fold(think('a', later), think('b', at), chunk('.')).blocks[0]).toMatchObject({ duration_ms: 0 })
  })
})
