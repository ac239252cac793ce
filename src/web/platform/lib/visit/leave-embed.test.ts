import { beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetOpened, leaveEmbed } from './leave-embed.ts'

beforeEach(forgetOpened)

const settles = (promise: Promise<void>) => Promise.race([promise.then(() => true), Promise.resolve(false)])

describe('leaveEmbed', () => {
  it('loads every other view from the server if the document was opened as the embed page', async () => {
    const load = vi.fn()
    await leaveEmbed('/embed', '/embed', load)
    expect(await settles(leaveEmbed('/admin', '/admin?tab=1', load))).toBe(false)
    expect(load).toHaveBeenCalledExactlyOnceWith('/admin?tab=1')
  })

  it('changes nothing for a document opened elsewhere', async () => {
    const load = vi.fn()
    await leaveEmbed('/chat', '/chat', load)
    await leaveEmbed('/embed', '/embed', load)
    await leaveEmbed('/admin', '/admin', load)
    expect(load).not.toHaveBeenCalled()
  })
})
