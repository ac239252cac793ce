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

/** The frames of an epoch: the first one, deltas, and the end if it came to that. */
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
  it('are each given once, in order, whatever the bus loses, repeats or disorders [SE-19]', () => {
    // Two runs of a session, one after the other.
    const all = [...anEpoch(1, 30, started, true), ...anEpoch(2, 20, started, true)]
    const chance = fc.record({
      /** Where each live frame arrives among the others, several times or never. */
      live: fc.array(fc.tuple(fc.nat(all.length - 1), fc.nat(3)), { maxLength: 120 }),
      /** After how many live frames the store is read, and how far it has got by then. */
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

  it('begin again at once when another process has taken the run up [R-13]', () => {
    const { given, sequence } = aSequence(firstId(1))
    const lost = anEpoch(1, 5, started, false)
    const taken = anEpoch(2, 3, restarted, true)
    for (const frame of lost.slice(0, 3)) sequence.live(frame)
    expect(sequence.live(taken[0]!)).toBe(true)
    // What the process that lost it still sends is void.
    expect(sequence.live(lost[3]!)).toBe(false)
    for (const frame of taken.slice(1)) sequence.live(frame)
    expect(given).toEqual([...idsOf(lost.slice(0, 3)), ...idsOf(taken)])
  })

  it('a new run waits for the end of the one before it', () => {
    const { given, sequence } = aSequence(firstId(1))
    const first = anEpoch(1, 3, started, true)
    const second = anEpoch(2, 3, started, false)
    for (const frame of [...first.slice(0, 2), ...second]) sequence.live(frame)
    expect(given).toEqual(idsOf(first.slice(0, 2)))
    sequence.stored(first)
    expect(given).toEqual(idsOf([...first, ...second]))
  })
})
