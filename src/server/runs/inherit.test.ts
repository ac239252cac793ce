import { describe, expect, it } from 'vitest'
import type { RunEvent } from '#shared/runs/events.ts'
import { started, tool } from '../../../tests/support/run-events.ts'
import { executionId } from './execution-id.ts'
import { inheritRecords, mergeInput } from './inherit.ts'
import type { JournalRecord } from './journal-record.ts'

let position = 0
const record = (kind: JournalRecord['kind'], key: string, events: RunEvent[] = []): JournalRecord => ({
  ...{ position: position++, epoch: 1, kind, key, value: null, events },
})
const keysOf = (records: readonly JournalRecord[]) => records.map(({ kind, key }) => `${kind}:${key}`)

describe('what a run reads of the one it was forked from', () => {
  it('CK-03 is what was done there, and nothing that was under way', () => {
    const journal = [
      ...[record('input', 'input'), record('checkpoint', 'step1'), record('ask', 'a'), record('answer', 'a')],
      ...[record('ask', 'b'), record('pause', '1'), record('resume', '2'), record('started', 'call#1')],
      ...[record('step', 'call'), record('started', 'call#12'), record('started', 'other')],
      ...[record('started', 'x#y'), record('step', 'x'), record('end', 'end')],
    ]
    expect(keysOf(inheritRecords(journal, 'fork').records)).toEqual([
      ...['input:input', 'checkpoint:step1', 'ask:a', 'answer:a', 'started:call#1', 'step:call'],
      ...['started:call#12', 'step:x'],
    ])
  })

  it('CK-03 has calls without a result under ids of their own', () => {
    const ids = ['open-1', 'done-1', 'failed-1', 'broken-1']
    const [open = '', done = '', failed = '', broken = ''] = ids
    const said = [
      ...[started, tool({ status: 'pending' }, open), tool({ status: 'complete' }, done)],
      ...[tool({ status: 'failed' }, failed), tool({ status: 'error' }, broken)],
    ]
    const { records, calls } = inheritRecords([record('input', 'input', said)], 'fork')
    expect([...calls]).toEqual([[open, executionId('fork', open)]])
    const text = JSON.stringify(records)
    expect(text).not.toContain(open)
    for (const kept of [done, failed, broken, executionId('fork', open)]) expect(text).toContain(kept)
    const whole = [record('input', 'input', [started, tool({ status: 'complete' }, done)])]
    expect(inheritRecords(whole, 'fork')).toEqual({ records: whole, calls: new Map() })
  })

  it('CK-03 begins as that began, but for what is its own', () => {
    const origin = { ...record('input', 'input'), value: { a: 1, message_id: 'old' } }
    const own = { ...record('input', 'input'), value: { message_id: 'new' } }
    expect(mergeInput(origin, own)).toEqual({ ...own, value: { a: 1, message_id: 'new' } })
    expect(mergeInput(undefined, own)).toEqual(own)
  })
})

describe('the id of a call', () => {
  it('is a UUID of version 8, the same for the same call of a run', () => {
    const id = executionId('run', 'call')
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(executionId('run', 'call')).toBe(id)
    const others = [executionId('run', 'other'), executionId('other', 'call'), executionId('runcall', '')]
    expect(new Set([id, ...others]).size).toBe(4)
    for (let n = 0; n < 50; n += 1) expect(executionId('run', `${n}`)).toMatch(/^.{14}8.{4}[89ab]/)
  })
})
