import { describe, expect, it } from 'vitest'
import {
  answer,
  at,
  beginStep,
  checkpoint,
  chunk,
  endStep,
  fail,
  fold,
  say,
  think,
} from '#tests/run-events.ts'
import { beginsWork, findNewest, isModelCheckpoint, stepOf } from '../steps.ts'
import { applyEvent } from './reduce.ts'

const progress = (number: number, message: string | null, done: number | null = null) =>
  say({ event: 'agent_step_progress', number, progress: done, message })
const numbersOf = (view: ReturnType<typeof fold>) =>
  view.blocks.map((block) => (block.type === 'step' ? block.number : block.type))

describe('steps', () => {
  it('sorts steps by number and puts each event into its step', () => {
    expect(numbersOf(fold(beginStep(2), beginStep(1), beginStep(3)))).toEqual([1, 2, 3])
    expect(numbersOf(fold(beginStep(2), chunk('b', 2), beginStep(1), chunk('a', 1)))).toEqual([
      ...[1, 'text', 2, 'text'],
    ])
  })

  it('shows the description, and the start time when it is known', () => {
    const begun = { type: 'step', id: 'step-1', number: 1, description: 'Do 1', single_step: false }
    const state = { completed: false, progress: null, message: null }
    expect(fold(beginStep(1)).blocks).toEqual([{ ...begun, ...state }])
    expect(fold(beginStep(1, at)).blocks).toEqual([{ ...begun, ...state, started_at: at }])
  })

  it('starts and ends each step once and ignores events of unknown steps', () => {
    const view = fold(beginStep(1))
    expect(applyEvent(view, beginStep(1))).toBe(view)
    expect(applyEvent(view, progress(2, 'x'))).toBe(view)
    expect(applyEvent(view, endStep(2))).toBe(view)
    const ended = fold(beginStep(1), endStep(1))
    expect(applyEvent(ended, endStep(1))).toBe(ended)
  })

  it('tracks the progress of each step separately', () => {
    const view = fold(beginStep(1), beginStep(2), progress(1, 'Half', 0.5), progress(1, null, 0.7))
    expect(view.blocks).toMatchObject([
      { progress: 0.7, message: null, completed: false },
      { progress: null, message: null },
    ])
  })

  it('marks a step as failed without completing it', () => {
    const [failed] = fold(beginStep(1, at), endStep(1, { failed: true, timestamp: at })).blocks
    expect(failed).toMatchObject({ failed: true, completed: false, duration_ms: 0 })
    const [done] = fold(beginStep(1), endStep(1, { failed: false })).blocks
    expect(done).toMatchObject({ completed: true })
    expect(done).not.toHaveProperty('failed')
  })

  it('never gives a step a negative duration, and none without both timestamps', () => {
    const before = '2025-12-31T00:00:00.000Z'
    expect(fold(beginStep(1, at), endStep(1, { timestamp: before })).blocks[0]).toMatchObject({
      duration_ms: 0,
    })
    for (const view of [
      fold(beginStep(1, at), endStep(1)),
      fold(beginStep(1), endStep(1, { timestamp: at })),
    ])
      expect(view.blocks[0]).not.toHaveProperty('duration_ms')
  })

  it('ends an open thought when the step reports new text, not a repeat or a count', () => {
    const thinking = [beginStep(1), progress(1, 'Reads'), think('hm', at, 1)]
    const isThinking = (...events: Parameters<typeof fold>) =>
      fold(...thinking, ...events).blocks.some(
        (block) => block.type === 'thinking' && block.duration_ms === null,
      )
    expect(isThinking(progress(1, 'Reads', 0.5))).toBe(true)
    expect(isThinking(progress(1, null, 0.5))).toBe(true)
    expect(isThinking(progress(1, 'Writes'))).toBe(false)
    expect(isThinking(endStep(1))).toBe(false)
  })

  it('lists planned steps with the progress', () => {
    const planned = [{ number: 2, description: 'Write' }]
    const told = { event: 'agent_progress' as const, progress: 0.5, step_name: 'Read' }
    expect(fold(say({ ...told, planned })).progress).toEqual({ progress: 0.5, step_name: 'Read', planned })
    expect(fold(say(told)).progress).toEqual({ progress: 0.5, step_name: 'Read' })
  })
})

describe('stepOf and findNewest', () => {
  it('reads the step number from the scope at the start of the key', () => {
    const step = (step_key: string | null) => stepOf({ step_key })
    expect(step('step12/sub1.model:1')).toBe(12)
    for (const key of ['step1', 'model', 'astep1/model', 'step/model', null]) expect(step(key)).toBeNull()
  })

  it('limits a step to the blocks before the next step', () => {
    const { blocks } = fold(beginStep(1), chunk('a', 1), beginStep(2), chunk('b', 2))
    expect([findNewest(blocks, 1), findNewest(blocks, 2), findNewest(blocks, null)]).toEqual([1, 3, 3])
    expect(findNewest(blocks, 3)).toBe(3)
    expect(findNewest([], null)).toBe(-1)
  })
})

describe('checkpoint', () => {
  const named = (checkpoint_name: string) => fold(checkpoint(checkpoint_name)).blocks[0]

  it('recognises the checkpoint before a model call or a step by its name', () => {
    expect(isModelCheckpoint(named('llm_checkpoint_1'))).toBe(true)
    for (const name of ['step1', 'my_llm_checkpoint']) expect(isModelCheckpoint(named(name))).toBe(false)
    for (const name of ['llm_checkpoint_1', 'step1', 'step12_x']) expect(beginsWork(named(name))).toBe(true)
    for (const name of ['completed', 'stepping', 'my_step1']) expect(beginsWork(named(name))).toBe(false)
    for (const none of [undefined, fold(chunk('llm_checkpoint')).blocks[0]]) {
      expect(isModelCheckpoint(none)).toBe(false)
      expect(beginsWork(none)).toBe(false)
    }
  })

  it("belongs to the run that wrote it, by default to the message's run", () => {
    expect(named('step1')).toEqual({
      ...{ type: 'checkpoint', id: 'run:step1', checkpoint_name: 'step1', created_at: at, run_id: 'run' },
    })
    const other = { ...checkpoint('step1'), run_id: 'other' }
    const nobodys = { ...checkpoint('step2'), run_id: null }
    expect(fold(other, nobodys).blocks).toMatchObject([{ run_id: 'other' }, { run_id: 'run' }])
  })

  it('appears once per id', () => {
    expect(numbersOf(fold(checkpoint('a'), checkpoint('a'), checkpoint('b')))).toEqual([
      ...['checkpoint', 'checkpoint'],
    ])
  })

  it('stays before the error of the work that follows it', () => {
    const types = (name: string) =>
      fold(checkpoint('first'), checkpoint(name), chunk('a'), fail('No')).blocks.map(({ type }) => type)
    expect(types('llm_checkpoint_1')).toEqual(['checkpoint', 'checkpoint', 'text', 'error'])
    expect(types('done')).toEqual(['checkpoint', 'checkpoint', 'error', 'text'])
  })

  it('ignores an answer when nothing was asked there', () => {
    const view = fold(checkpoint('a'))
    expect(applyEvent(view, answer('a', 'x'))).toBe(view)
  })
})
