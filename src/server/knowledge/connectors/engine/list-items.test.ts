import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { aScriptedSource } from '#tests/scripted-source.ts'
import { addSources } from '../connectors.ts'

const scripted = aScriptedSource()
let app: TestApp
let ada: Reader
let company: string
beforeAll(async () => {
  addSources([scripted.source])
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  ada = await aReader(app, `${await app.listen()}/api/v1`, await aUser(app, { role: 'company_admin' }))
  company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
})
afterAll(async () => {
  addSources([])
  await app.close()
})

const HUGE = 'x'.repeat(1_000_000)

it('stores items whose times, sizes, names, links and readers cannot be', async () => {
  const reader = `user:${ada.user.email}`
  const facts = [
    ...[{ created_at: new Date(Number.NaN), changed_at: new Date('+099999-01-01') }],
    ...[
      { changed_at: new Date('0000-01-01') },
      { size: -1 },
      { size: 1.5 },
      { size: Number.NaN },
      { size: 1e300 },
    ],
    ...[
      { url: 'nowhere' },
      { url: `https://example.com/${HUGE}` },
      { owner: HUGE, labels: [HUGE, '\0', '\u202e'] },
    ],
    ...[{ readers: [reader, `user:${HUGE}`, 'group:\0'] }, { version: HUGE }, { move_key: HUGE }],
    ...[
      { name: '\u202etxt.exe\0', path: '/../\0\u202e//a' },
      { name: HUGE, path: HUGE },
    ],
  ]
  for (const [at, fact] of facts.entries()) {
    const item = { text: `Item ${at}`, readers: [reader], ...fact }
    scripted.items.set(`${String(at).padStart(2, '0')}.txt`, item)
  }
  scripted.members = [
    { group_key: `group:${HUGE}`, address: 'a@example.com' },
    { group_key: 'group:a', address: `${HUGE}@example.com` },
  ]
  const given = { source: 'scripted', settings: {}, rights: 'mirrored' }
  const { id } = await connect(ada, company, given)
  const connector = await synced(ada, id)
  const { body } = await ada.call('GET', `/connectors/${id}/items`)
  expect([connector.state, connector.error, body.items]).toEqual(['ready', null, []])
  expect(await documentsOf(app, id)).toHaveLength(facts.length)
}, 60_000)
