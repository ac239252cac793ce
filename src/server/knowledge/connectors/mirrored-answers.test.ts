import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findCitations } from '#shared/platform/citations/citation-tags.ts'
import { AppError } from '#shared/platform/errors.ts'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { calls, says } from '#tests/model-server.ts'
import { aScriptedSource } from '#tests/scripted-source.ts'
import { addSources } from './connectors.ts'

const SECRET = 'The vault opens with the word tangerine.'
const scripted = aScriptedSource()
let chat: Chat
let ada: Reader
let bob: Reader
let dan: Reader
let unverified: Reader
let company: string
beforeAll(async () => {
  addSources([scripted.source])
  chat = await startChat({ app: { config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } } })
  ada = await aReader(chat.app, chat.url, await aUser(chat.app, { role: 'company_admin' }))
  company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
  const member = { role: 'member', companyId: company } as const
  bob = await aReader(chat.app, chat.url, await aUser(chat.app, member))
  dan = await aReader(chat.app, chat.url, await aUser(chat.app, member))
  unverified = await aReader(chat.app, chat.url, await aUser(chat.app, { ...member, verified: false }))
})
afterAll(async () => {
  addSources([])
  await chat.close()
})

/** Asks in a new chat and returns what the person's model was given to answer from, with the passages that the reply cites. */
async function ask(who: Reader) {
  const { body: session } = await who.call('POST', '/sessions', { model_name: 'compatible/scripted' })
  chat.model.forget()
  const before = chat.model.requests.length
  chat.model.reply(
    [calls('document_search', { query: 'How does the vault open?' })],
    [says('With a word [1].')],
    [says('It opens with a word [1].')],
  )
  await who.call('POST', '/messages', { chat_session_id: session.id, content: 'How?' })
  const read = async () => (await who.call('GET', `/sessions/${session.id}/active-branch`)).body.active_branch
  await expect.poll(async () => (await read()).at(-1)?.status, { timeout: 30_000 }).toBe('completed')
  const cited = findCitations((await read()).at(-1).content).map(({ chunk_id }) => chunk_id)
  return { knew: JSON.stringify(chat.model.requests.slice(before)).includes('tangerine'), cited }
}

it('mirrors rights of people and groups of the source and checks them again with each answer, for 24 hours at most [CN-09]', async () => {
  scripted.items.set('vault.txt', {
    text: SECRET,
    readers: [`user:${bob.user.email}`, `user:${unverified.user.email}`, 'group:board'],
  })
  scripted.members = [{ group_key: 'group:board', address: dan.user.email }]
  const { id } = await connect(ada, company, { source: 'scripted', settings: {}, rights: 'mirrored' })
  await synced(ada, id)
  const [document] = await documentsOf(chat.app, id)
  await bob.processed(document?.id ?? '')
  // By address and by group. The administrator who connected the source is unknown to it.
  const first = await ask(bob)
  expect([first.knew, first.cited.length > 0]).toEqual([true, true])
  expect((await ask(dan)).knew).toBe(true)
  expect([(await ask(unverified)).knew, (await ask(ada)).knew]).toEqual([false, false])
  const words = async (who: Reader) =>
    (await who.call('POST', '/rag/passages', { chunk_ids: first.cited })).body.passages.length
  expect([await words(bob), await words(dan), await words(ada), await words(unverified)]).toEqual([
    1, 1, 0, 0,
  ])
  // The rights of the source change.
  scripted.items.set('vault.txt', { text: SECRET, readers: ['group:board'] })
  await syncNow(ada, id)
  expect([(await ask(bob)).knew, await words(bob), (await ask(dan)).knew]).toEqual([false, 0, true])
  // The source cannot be asked.
  scripted.before = () => {
    throw new AppError('unavailable', 'The source is away.')
  }
  await syncNow(ada, id)
  const setAge = (minutes: number) =>
    sql`update connectors set rights_read_at = now() - make_interval(mins => ${minutes}) where id = ${id}`.execute(
      chat.app.deps.db,
    )
  await setAge(24 * 60 - 5)
  expect([(await ask(dan)).knew, await words(dan)]).toEqual([true, 1])
  await setAge(24 * 60 + 5)
  expect([(await ask(dan)).knew, await words(dan)]).toEqual([false, 0])
}, 120_000)
