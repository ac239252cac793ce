import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

async function aPerson() {
  const user = await aUser(app)
  const call = async (method: 'GET' | 'PUT' | 'DELETE', path: string, payload?: object) => {
    const asked = { method, url: `/api/v1${path}`, headers: user.headers, ...(payload && { payload }) }
    const answer = await app.http.inject(asked)
    return { status: answer.statusCode, body: answer.json() }
  }
  const change = (action: string, keys: string | null) => call('PUT', '/users/me/shortcuts', { action, keys })
  const stored = async () => (await call('GET', '/users/me')).body.shortcuts
  return { call, change, stored }
}

describe('shortcuts of a person', () => {
  it('stores changed keys for every browser, and restores one or all defaults', async () => {
    const [person, other] = [await aPerson(), await aPerson()]
    expect(await person.stored()).toEqual({})
    const { status, body } = await person.change('new_chat', 'mod+shift+e')
    expect([status, body.shortcuts]).toEqual([200, { new_chat: 'mod+shift+e' }])
    await person.change('approve', 'y')
    expect(await person.stored()).toEqual({ new_chat: 'mod+shift+e', approve: 'y' })
    expect(await other.stored()).toEqual({})
    await person.change('new_chat', null)
    expect(await person.stored()).toEqual({ approve: 'y' })
    await person.change('approve', 'a')
    expect(await person.stored()).toEqual({})
    await person.change('rename', 'f4')
    expect((await person.call('DELETE', '/users/me/shortcuts')).body.shortcuts).toEqual({})
    expect(await person.stored()).toEqual({})
  })

  it('refuses keys of another action with its name', async () => {
    const person = await aPerson()
    const taken = await person.change('new_chat', 'mod+k')
    expect(taken).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(taken.body.detail).toBe('These keys belong to “palette”. Choose others.')
    await person.change('palette', 'mod+j')
    expect((await person.change('new_chat', 'mod+k')).status).toBe(200)
    // Its default belongs to another action now.
    const back = await person.change('palette', null)
    expect(back.body.detail).toBe('These keys belong to “new chat”. Choose others.')
    expect(await person.stored()).toEqual({ palette: 'mod+j', new_chat: 'mod+k' })
  })

  it('gives the same keys to only one of two concurrent browsers', async () => {
    const person = await aPerson()
    const both = await Promise.all([
      person.change('new_chat', 'mod+shift+e'),
      person.change('search', 'mod+shift+e'),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(Object.keys(await person.stored())).toHaveLength(1)
  })

  it.each([
    ['new_chat', 'mod+t'],
    ['send', 'x'],
    ['new_chat', 'Ctrl+K'],
    ['nothing', 'mod+j'],
    ['new_chat', ''],
  ])('refuses %s with %s', async (action, keys) => {
    const person = await aPerson()
    expect((await person.change(action, keys)).status).toBe(422)
    expect(await person.stored()).toEqual({})
  })
})
