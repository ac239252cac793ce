import { describe, expect, it, vi } from 'vitest'
import { aToolContext } from '#tests/tool-context.ts'
import contract from './contract.ts'
import run from './run.ts'

describe('list_events', () => {
  it('lists the events of a range, in the account of the person', async () => {
    const context = aToolContext()
    const listEvents = vi.fn(async () => [])
    const input = contract.input.parse({ from: '2026-12-01T00:00:00Z', to: '2026-12-02T00:00:00Z' })
    const result = await run(input, { ...context, actions: { ...context.actions, listEvents } })
    expect(listEvents).toHaveBeenCalledWith(input)
    expect(contract.output.parse(result)).toEqual({ events: [] })
  })
})
