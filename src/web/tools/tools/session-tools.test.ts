import { describe, expect, it } from 'vitest'
import { aTool } from '#tests/web/tool-builder.ts'
import { offeredOf } from './session-tools.ts'

const all = ['calculator', 'weather', 'search'].map((id) => aTool({ id }))
const idsOf = (offered: Parameters<typeof offeredOf>[1]) => offeredOf(all, offered).map(({ id }) => id)

describe('the tools of a session', () => {
  it('returns those the session offers, which may be none, and all for a missing session [TO-02]', () => {
    expect(idsOf({ tool_ids: ['search', 'calculator', 'gone'] })).toEqual(['calculator', 'search'])
    expect(idsOf({ tool_ids: [] })).toEqual([])
    expect(idsOf({ notFound: true })).toHaveLength(3)
    expect(idsOf(undefined)).toHaveLength(3)
  })
})
