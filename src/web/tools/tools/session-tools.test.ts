import { describe, expect, it } from 'vitest'
import { aSession } from '#tests/web/session-builder.ts'
import { aTool } from '#tests/web/tool-builder.ts'
import { toolsOf } from './session-tools.ts'

const all = ['calculator', 'weather', 'search'].map((id) => aTool({ id }))
const idsOf = (session: Parameters<typeof toolsOf>[1]) => toolsOf(all, session).map(({ id }) => id)

describe('the tools of a session', () => {
  it('returns the tools the session names, which may be none; otherwise all, also for a missing session [TO-02]', () => {
    const naming = (session_tools?: string[]) => aSession({ session_metadata: { session_tools } })
    expect(idsOf(naming(['search', 'calculator', 'gone']))).toEqual(['calculator', 'search'])
    expect(idsOf(naming([]))).toEqual([])
    expect(idsOf(naming())).toHaveLength(3)
    expect(idsOf({ notFound: true })).toHaveLength(3)
    expect(idsOf(undefined)).toHaveLength(3)
  })
})
