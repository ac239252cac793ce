import { describe, expect, it, vi } from 'vitest'
import { aToolContext } from '#tests/tool-context.ts'
import contract from './contract.ts'
import run from './run.ts'

describe('create_event', () => {
  it('does what its draft says, in the account of the person', async () => {
    const context = aToolContext()
    const done = {
      account: 'ada@example.com',
      id: '1',
      already: false,
      title: 'Review',
      starts: '2026-12-01T09:00:00Z',
      guests: ['bob@example.org'],
    }
    const createEvent = vi.fn(async () => done)
    const draft = contract.input.parse({
      title: 'Review',
      starts: '2026-12-01T09:00:00Z',
      ends: '2026-12-01T10:00:00Z',
      guests: ['bob@example.org'],
    })
    const result = await run(draft, { ...context, actions: { ...context.actions, createEvent } })
    expect(createEvent).toHaveBeenCalledWith(draft)
    expect(contract.output.parse(result)).toEqual(done)
  })

  it('asks by default, is never repeated unseen, and refuses a damaged draft', () => {
    expect([contract.policy, contract.repeatable, contract.draft]).toEqual(['ask', false, expect.any(String)])
    expect(contract.input.safeParse({ title: 'Review', starts: 'tomorrow', ends: 'later' }).success).toBe(
      false,
    )
  })
})
