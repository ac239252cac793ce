import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '#tests/account.ts'
import { aCompany, aSession, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { says } from '#tests/model-server.ts'
import { aDocument } from '#tests/stored-document.ts'
import { hashPassword } from '../../identity/accounts/accounts.ts'

let chat: Chat
let house: string
let makers: string
let owner: TestUser
let editor: TestUser
let reader: TestUser
let admin: TestUser
beforeAll(async () => {
  chat = await startChat()
  ;[house, makers] = [await aCompany(chat.app, 'House'), await aCompany(chat.app, 'Makers')]
  owner = await aUser(chat.app, { role: 'company_admin', companyId: house })
  await join(owner, makers, 'company_admin')
  editor = await aUser(chat.app, { role: 'member', companyId: makers })
  reader = await aUser(chat.app, { role: 'member', companyId: house })
  admin = await aUser(chat.app, { role: 'company_admin', companyId: makers })
})
afterAll(() => chat.close())

const join = (user: TestUser, company_id: string, role: 'company_admin' | 'member') =>
  chat.app.deps.db.insertInto('company_members').values({ company_id, user_id: user.id, role }).execute()
const call = (user: TestUser, method: string, path: string, body?: unknown) =>
  chat.call(method, path, body, user.headers)
const shares = () => [
  { company_id: house, access: 'use' },
  { company_id: makers, access: 'edit' },
]

/** Creates an assistant that one company uses and another edits. */
async function aShared(more: object = {}): Promise<{ id: string; path: string; version: number }> {
  const wish = { name: 'Desk', status: 'published', system_prompt: 'Be brief.', shares: shares(), ...more }
  const { status, body } = await call(owner, 'POST', '/assistants', wish)
  expect(status).toBe(201)
  return { id: body.id, path: `/assistants/${body.id}`, version: body.version }
}
const ownerOf = async (id: string) =>
  (await chat.app.deps.db.selectFrom('assistants').select('user_id').where('id', '=', id).executeTakeFirst())
    ?.user_id

describe('a shared assistant', () => {
  it('can be used by one company and edited by another, without changing its owner [XA-03]', async () => {
    const { id, path, version } = await aShared()
    expect(await call(reader, 'PUT', path, { description: 'Mine' })).toMatchObject({ status: 403 })
    const seen = await call(reader, 'GET', path)
    expect(seen.body).toMatchObject({ can_edit: false, can_share: false, own: false, shares: [] })
    const saved = await call(editor, 'PUT', path, { system_prompt: 'Be brief and kind.', version })
    expect(saved).toMatchObject({
      status: 200,
      body: { own: false, can_edit: true, can_share: false, version: 2, shared: true },
    })
    expect(
      saved.body.shares.map(({ company, access }: { company: string; access: string }) => [company, access]),
    ).toEqual([
      ['House', 'use'],
      ['Makers', 'edit'],
    ])
    expect(await ownerOf(id)).toBe(owner.id)
    expect((await call(owner, 'GET', `${path}/versions`)).body.items[0]).toMatchObject({
      version: 2,
      saved_by: editor.username,
      changed: ['system_prompt'],
    })
    // A draft cannot be used, but editors can still edit it.
    await call(editor, 'PUT', path, { status: 'draft' })
    expect(await call(reader, 'GET', path)).toMatchObject({ status: 403 })
    const listed = (await call(editor, 'GET', '/assistants')).body.find(
      (one: { id: string }) => one.id === id,
    )
    expect(listed).toMatchObject({ status: 'draft', can_edit: true, shared_by: owner.username })
  })

  it('names its owner to those it is shared with', async () => {
    const { id, path } = await aShared()
    await chat.app.deps.db
      .updateTable('users')
      .set({ full_name: 'Claire Delmas' })
      .where('id', '=', owner.id)
      .execute()
    expect((await call(reader, 'GET', path)).body.shared_by).toBe('Claire Delmas')
    expect((await call(owner, 'GET', path)).body.shared_by).toBe(null)
    const listed = (await call(reader, 'GET', '/assistants')).body.find(
      (one: { id: string }) => one.id === id,
    )
    expect(listed.shared_by).toBe('Claire Delmas')
    await chat.app.deps.db.updateTable('users').set({ full_name: null }).where('id', '=', owner.id).execute()
  })

  it('refuses the second of two concurrent edits and names the first editor', async () => {
    const { path, version } = await aShared()
    await call(editor, 'PUT', path, { system_prompt: 'Be kind.', version })
    const late = await call(owner, 'PUT', path, { system_prompt: 'Be quick.', version })
    expect(late).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(late.body.detail).toContain(`${editor.username} saved version 2`)
    expect((await call(owner, 'GET', path)).body.system_prompt).toBe('Be kind.')
    expect(await call(owner, 'PUT', path, { system_prompt: 'Be quick.', version: 2 })).toMatchObject({
      status: 200,
    })
    const both = [1, 2].map((at) => call(owner, 'PUT', path, { description: `At once ${at}`, version: 3 }))
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('cannot be shared, embedded or deleted by an editor, who also cannot change tool policies', async () => {
    const { id, path } = await aShared()
    const refused = { status: 403, body: { code: 'forbidden' } }
    expect(await call(editor, 'PUT', path, { shares: [] })).toMatchObject(refused)
    expect(await call(editor, 'PUT', path, { shared: false })).toMatchObject(refused)
    expect(await call(editor, 'PUT', path, { shares: shares(), shared: true })).toMatchObject({ status: 200 })
    expect(await call(editor, 'DELETE', path)).toMatchObject(refused)
    expect(await call(editor, 'GET', `${path}/embeds`)).toMatchObject(refused)
    expect(await call(editor, 'GET', `${path}/heirs`)).toMatchObject(refused)
    const policy = { policy: 'auto', assistant_id: id }
    expect(await call(editor, 'PUT', '/tools/calculator/policy', policy)).toMatchObject(refused)
  })

  it('accepts from an editor only what both the owner and the editor may use', async () => {
    const { path } = await aShared()
    const [ofEditor, ofOwner] = [await aDocument(chat.app, editor), await aDocument(chat.app, owner)]
    for (const { documentId: id } of [ofEditor, ofOwner]) {
      const refused = await call(editor, 'PUT', path, { documents: [id] })
      expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
      expect(refused.body.detail).toContain('documents')
    }
    expect(await call(owner, 'PUT', path, { documents: [ofOwner.documentId] })).toMatchObject({ status: 200 })
    // Existing content stays.
    expect(
      await call(editor, 'PUT', path, { documents: [ofOwner.documentId], name: 'Desk 2' }),
    ).toMatchObject({
      status: 200,
    })
    expect(await call(editor, 'PUT', path, { tools: ['no_such_tool'] })).toMatchObject({ status: 403 })
    expect(await call(editor, 'PUT', path, { tools: ['calculator'] })).toMatchObject({ status: 200 })
  })

  it('is shared only with administered companies; their administrators can withdraw the share', async () => {
    const { id, path } = await aShared()
    const elsewhere = await aCompany(chat.app, 'Elsewhere')
    const more = [...shares(), { company_id: elsewhere, access: 'use' }]
    expect(await call(owner, 'PUT', path, { shares: more })).toMatchObject({ status: 403 })
    expect(await call(admin, 'PUT', path, { shares: [shares()[1]] })).toMatchObject({ status: 403 })
    expect(await call(admin, 'PUT', path, { shares: [shares()[0]] })).toMatchObject({ status: 200 })
    expect(await call(editor, 'GET', path)).toMatchObject({ status: 403 })
    const { rows } = await auditOf(id)
    expect(rows[0]).toMatchObject({
      did: 'assistant.changed',
      changes: [{ what: 'shared with Makers', before: 'edit', after: null }],
    })
  })

  it('can no longer be used in the next reply after its share is withdrawn', async () => {
    const { id, path } = await aShared({ system_prompt: 'Speak like a lighthouse keeper.' })
    chat.model.always(() => [says('Well.')])
    const metadata = { assistant_id: id }
    const session = await aSession(chat.app, reader, { modelName: 'compatible/scripted', metadata })
    const toldAt = async (content: string) => {
      const before = chat.model.requests.length
      const stream = await openStream(`${chat.url}/sessions/${session.id}/messages`, {
        ...{ method: 'POST', headers: reader.headers, body: { content } },
      })
      await stream.ended
      return JSON.stringify(chat.model.requests.slice(before))
    }
    expect(await toldAt('Hello')).toContain('lighthouse keeper')
    await call(owner, 'PUT', path, { shares: [shares()[1]] })
    expect(await toldAt('And now?')).not.toContain('lighthouse keeper')
  })
})

/** Returns the audit entries of an assistant, newest first. */
const auditOf = async (id: string) =>
  sql<{ did: string; changes: unknown }>`
    select did, changes from audit_entries where subject_id = ${id} order by id desc`.execute(
    chat.app.deps.db,
  )

describe('an assistant whose owner leaves', () => {
  it('is handed to an editor by its owner, or by an administrator after deactivation', async () => {
    const { id, path } = await aShared()
    const heirs = (await call(owner, 'GET', `${path}/heirs`)).body
    expect(heirs.map((one: { id: string }) => one.id).sort()).toEqual([admin.id, editor.id].sort())
    const give = (user: TestUser, to: TestUser) => call(user, 'POST', `${path}/owner`, { user_id: to.id })
    expect(await give(admin, admin)).toMatchObject({ status: 409 })
    expect(await give(owner, reader)).toMatchObject({ status: 422 })
    expect(await give(owner, editor)).toMatchObject({ status: 200, body: { assistant: { own: false } } })
    expect(await ownerOf(id)).toBe(editor.id)
    await deactivate(editor, true)
    expect((await call(admin, 'GET', path)).body.can_hand_over).toBe(true)
    expect(await give(admin, admin)).toMatchObject({ status: 200, body: { assistant: { own: true } } })
    await deactivate(editor, false)
    const { rows } = await auditOf(id)
    expect(rows.slice(0, 2).map(({ did, changes }) => [did, changes])).toEqual([
      ['assistant.handed_over', [{ what: 'owner', before: editor.username, after: admin.username }]],
      ['assistant.handed_over', [{ what: 'owner', before: owner.username, after: editor.username }]],
    ])
  })

  it('goes to the named heir on account deletion; assistants the heir may not edit are deleted', async () => {
    const leaver = await aUser(chat.app, { role: 'company_admin', companyId: makers })
    const password_hash = await hashPassword(PASSWORD)
    await chat.app.deps.db.updateTable('users').set({ password_hash }).where('id', '=', leaver.id).execute()
    const make = (body: object) => call(leaver, 'POST', '/assistants', { status: 'published', ...body })
    const { body: edited } = await make({ name: 'Edited', shares: [shares()[1]] })
    const { body: own } = await make({ name: 'Own' })
    const { shared } = (await call(leaver, 'GET', '/users/me/erasure')).body
    expect(shared).toMatchObject({ assistants: 1 })
    expect(shared.heirs.map((one: { id: string }) => one.id)).toContain(editor.id)
    expect((await call(admin, 'GET', `/admin/users/${leaver.id}/erasure`)).body).toEqual({
      shared,
      is_held: false,
    })
    const erase = (heir_id: string) =>
      call(leaver, 'POST', '/users/me/erasure', { email: leaver.email, current_password: PASSWORD, heir_id })
    expect(await erase(reader.id)).toMatchObject({ status: 422 })
    expect(await erase(editor.id)).toMatchObject({ status: 202 })
    expect(await ownerOf(edited.id)).toBe(editor.id)
    await expect.poll(() => ownerOf(own.id), { timeout: 20_000 }).toBe(undefined)
    expect(await ownerOf(edited.id)).toBe(editor.id)
    expect((await call(editor, 'GET', `/assistants/${edited.id}`)).body).toMatchObject({
      name: 'Edited',
      own: true,
    })
  })
})

const deactivate = (user: TestUser, isOut: boolean) =>
  chat.app.deps.db
    .updateTable('users')
    .set({ deactivated_at: isOut ? new Date() : null })
    .where('id', '=', user.id)
    .execute()
