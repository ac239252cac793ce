import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import type { Frame } from '../events/channels.ts'
import { firstId, frameOf } from '../events/frames.ts'
import { createSequence } from './sequence.ts'

const origin = { run_id: 'run', step_key: null, attempt: 1 }
const aFrame = (id: number, event: object = { event: 'response_chunk', content: String(id) }) =>
  frameOf(id, { ...origin, ...event } as RunEvent)
const started = { event: 'agent_processing_started' }
const restarted = { event: 'task_stream_init', view: null }
const ended = { event: 'agent_processing_complete' }

/** Builds the frames of an epoch: first event, deltas, and optionally the end. */
function anEpoch(epoch: number, count: number, first: object, isEnded: boolean): Frame[] {
  return Array.from({ length: count }, (_, index) => {
    const isLast = isEnded && index === count - 1
    return aFrame(firstId(epoch) + 1 + index, index === 0 ? first : isLast ? ended : undefined)
  })
}

function aSequence(after = 0) {
  const given: number[] = []
  return { given, sequence: createSequence(after, ({ id }) => given.push(id)) }
}
const idsOf = (frames: Frame[]) => frames.map(({ id }) => id)

describe('frames from the bus and from the store', () => {
  it('are delivered once and in order, whatever the bus drops, repeats or reorders [SE-19]', () => {
    // Two consecutive runs of a session.
    const all = [...anEpoch(1, 30, started, true), ...anEpoch(2, 20, started, true)]
    const chance = fc.record({
      /** The position of each live frame in the sequence, any number of times. */
      live: fc.array(fc.tuple(fc.nat(all.length - 1), fc.nat(3)), { maxLength: 120 }),
      /** For each read of the store: the number of live frames before it, and the frames stored by then. */
      reads: fc.array(fc.tuple(fc.nat(120), fc.nat(all.length)), { maxLength: 8 }),
      start: fc.nat(29),
    })
    fc.assert(
      fc.property(chance, ({ live, reads, start }) => {
        const first = start === 0 ? 0 : firstId(1) + start
        const { given, sequence } = aSequence(first)
        const stored = (upTo: number) => sequence.stored(all.slice(0, upTo))
        const order = live.map(([at, shift], index) => ({ frame: all[at], place: index + shift }))
        order.sort((one, other) => one.place - other.place)
        for (const [index, { frame }] of order.entries()) {
          if (frame) sequence.live(frame)
          for (const [when, upTo] of reads) if (when === index) stored(upTo)
        }
        stored(all.length)
        expect(given).toEqual(idsOf(all).filter((id) => id > first))
      }),
    )
  })

  it('restart immediately when another process has resumed the run [R-13]', () => {
    const { given, sequence } = aSequence(firstId(1))
    const lost = anEpoch(1, 5, started, false)
    const taken = anEpoch(2, 3, restarted, true)
    for (const frame of lost.slice(0, 3)) sequence.live(frame)
    expect(sequence.live(taken[0]!)).toBe(true)
    // Frames from the process that lost the run are void.
    expect(sequence.live(lost[3]!)).toBe(false)
    for (const frame of taken.slice(1)) sequence.live(frame)
    expect(given).toEqual([...idsOf(lost.slice(0, 3)), ...idsOf(taken)])
  })

  it('of a new run wait for the end of the previous one', () => {
    const { given, sequence } = aSequence(firstId(1))
    const first = anEpoch(1, 3, started, true)
    const second = anEpoch(2, 3, started, false)
    for (const frame of [...first.slice(0, 2), ...second]) sequence.live(frame)
    expect(given).toEqual(idsOf(first.slice(0, 2)))
    sequence.stored(first)
    expect(given).toEqual(idsOf([...first, ...second]))
  })
})
