import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { chunk, fold, say, think, tool } from '#tests/run-events.ts'
import { createChildPublisher, endEvents } from './child-publisher.ts'
import type { LiveRun } from './live-run.ts'

let told: RunEvent[] = []
let parent: LiveRun
beforeEach(() => {
  vi.useFakeTimers()
  told = []
  parent = {
    ...{ id: 'parent', attempt: 2, ending: null },
    publisher: { emit: (event: RunEvent) => told.push(event) },
  } as unknown as LiveRun
})
afterEach(() => {
  vi.useRealTimers()
})

const aChild = () => createChildPublisher(parent, { number: 3, view: fold() })
const previews = (events = told) =>
  events.flatMap((event) => (event.event === 'agent_step_progress' ? [event] : []))
const messages = () => previews().map(({ message }) => message)
const said = (text: string, step_key = 'model:1'): RunEvent => ({ ...chunk(text), step_key }) as RunEvent

describe('the preview of a sub-run', () => {
  it('appears in its step immediately, then updates four times a second', () => {
    const child = aChild()
    child.emit(said('One '))
    expect(messages()).toEqual(['One'])
    for (const word of ['two ', 'three']) child.emit(said(word))
    vi.advanceTimersByTime(249)
    expect(messages()).toEqual(['One'])
    vi.advanceTimersByTime(1)
    expect(messages()).toEqual(['One', 'One two three'])
    vi.advanceTimersByTime(1_000)
    expect(messages()).toHaveLength(2)
    expect(told[1]).toEqual({
      ...{ event: 'agent_step_progress', number: 3, progress: null, message: 'One two three' },
      ...{ added: 'two three', run_id: 'parent', attempt: 2, step_key: 'step3/model:1' },
    })
    expect(child.view.content).toBe('One two three')
  })

  it('records only the newest words', () => {
    const child = aChild()
    child.emit(said('One '))
    child.emit(said('two'))
    vi.advanceTimersByTime(250)
    expect(child.shown).toMatchObject([{ event: 'agent_step_progress', message: 'One two' }])
    expect(child.shown[0]).not.toHaveProperty('added')
    child.emit(think('hm'))
    child.emit(think('m'))
    expect(child.shown).toMatchObject([{ message: 'One two' }, { event: 'agent_thinking', content: 'hmm' }])
  })

  it('ends at the next event and names the step that wrote the text', () => {
    const child = aChild()
    child.emit(said('One '))
    child.emit(said('two '))
    child.emit(said('three', 'model:2'))
    expect(previews().map(({ step_key, added }) => [step_key, added])).toEqual([
      ['step3/model:1', 'One '],
      ['step3/model:1', 'two '],
    ])
    child.emit(tool({ status: 'pending' }))
    expect(told.slice(2)).toMatchObject([
      { event: 'agent_step_progress', step_key: 'step3/model:2', added: 'three' },
      { event: 'tool_update', run_id: 'parent', attempt: 2, step_key: 'step3/model' },
    ])
    child.emit(said('four', 'model:3'))
    expect(messages().at(-1)).toBe('One two threefour')
  })

  it('passes tools, thoughts and models through and hides other events', () => {
    const child = aChild()
    const waiting = say({ event: 'model_waiting', limit: null })
    const own = [
      say({ event: 'response_stream_start', message_id: 'm' }),
      say({ event: 'agent_step_started', number: 1, description: 'x', single_step: false }),
    ]
    for (const event of [...own, waiting, think('hm'), tool({})]) child.emit(event)
    expect(told.map(({ event }) => event)).toEqual(['model_waiting', 'agent_thinking', 'tool_update'])
  })

  it('carries the progress along with the words', () => {
    const child = aChild()
    child.emit(say({ event: 'agent_progress', progress: 50, step_name: 'x' }))
    vi.advanceTimersByTime(250)
    expect(told).toEqual([])
    child.emit(said('One'))
    expect(previews()[0]).toMatchObject({ progress: 50, message: 'One' })
    child.emit(say({ event: 'agent_progress', progress: 75, step_name: 'x' }))
    vi.advanceTimersByTime(250)
    expect(previews()[1]).toMatchObject({ progress: 75, message: 'One' })
    expect(previews()[1]).not.toHaveProperty('added')
  })

  it('shows the end of long text, starting at a word', () => {
    const child = aChild()
    child.emit(said('x'.repeat(280)))
    expect(messages()).toEqual(['x'.repeat(280)])
    child.emit(said(` ${'word '.repeat(60)}end`))
    vi.advanceTimersByTime(250)
    const last = messages().at(-1) ?? ''
    expect(last).toMatch(/^…(word )+end$/)
    expect(last.length).toBeGreaterThan(270)
    expect(last.length).toBeLessThanOrEqual(281)
  })

  it('stops when the parent ends or the publisher closes', () => {
    const child = aChild()
    child.emit(said('One '))
    child.emit(said('two'))
    child.close()
    vi.advanceTimersByTime(250)
    expect(messages()).toEqual(['One'])
    const late = aChild()
    parent.ending = 'stop'
    late.emit(said('Three'))
    expect(messages()).toEqual(['One'])
  })

  it('appears again when another process resumes the run', () => {
    const child = aChild()
    child.showAgain([said('One '), said('two'), tool({})])
    expect(messages()).toEqual(['One', 'One two', 'One two'])
    const silent = aChild()
    told = []
    silent.showAgain([])
    expect(told).toEqual([])
  })
})

describe('the end event of a sub-run', () => {
  const end = (state: 'completed' | 'failed', text: string) => endEvents(parent, 3, { state, text }, 'now')

  it('contains the result, or the reason there is none', () => {
    const origin = { run_id: 'parent', step_key: null, attempt: 2 }
    expect(end('completed', 'Done.')).toEqual([
      { event: 'agent_step_progress', number: 3, progress: 100, message: 'Done.', ...origin },
      { event: 'agent_step_completed', number: 3, timestamp: 'now', ...origin },
    ])
    expect(end('failed', 'Why.')).toEqual([
      { event: 'agent_step_progress', number: 3, progress: null, message: 'Why.', ...origin },
      { event: 'agent_step_completed', number: 3, failed: true, timestamp: 'now', ...origin },
    ])
  })

  it('truncates a very long result', () => {
    const of = (length: number) => end('completed', 'x'.repeat(length))[0]
    expect(of(4_000)).toMatchObject({ message: 'x'.repeat(4_000) })
    expect(of(4_001)).toMatchObject({ message: `${'x'.repeat(4_000)}…` })
  })
})
