import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Description, findAdditions, findBreaks } from '#tests/api/find-breaks.ts'
import { PUBLISHED_AT, publish, readPublished } from '#tests/api/published.ts'
import { startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
let today: Description
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_PUBLIC_URL: PUBLISHED_AT } })
  today = (await app.http.inject({ url: '/api/v1/openapi.json' })).json()
})
afterAll(() => app.close())

const majorOf = ({ info }: Description) => Number(info.version.split('.')[0])
/** Set while `npm run publish-api` records the additions of a version. */
const isPublishing = process.env.PUBLISH_API !== undefined

describe('published API', () => {
  it('keeps every published route, field and kind unless the version declares the change [PG-14]', () => {
    const published = readPublished()
    if (majorOf(today) === majorOf(published)) expect(findBreaks(published, today)).toEqual([])
  })

  it('lists its versions with the current one first and matches its description [PG-14]', () => {
    if (isPublishing) {
      process.stdout.write(`New since the last time:\n${findAdditions(readPublished(), today).join('\n')}\n`)
      publish(today)
    }
    const versions = [...readFileSync('docs/api/changelog.md', 'utf8').matchAll(/^## (\d+\.\d+\.\d+)/gm)]
    expect(versions[0]?.[1]).toBe(today.info.version)
    expect(readPublished().info.version).toBe(today.info.version)
  })
})

type Json = Record<string, unknown>
const answerOf = (schema: Json): Json => ({
  responses: { 200: { content: { 'application/json': { schema } } } },
})
const bodyOf = (schema: Json, required = true): Json => ({
  ...{ responses: {}, requestBody: { required, content: { 'application/json': { schema } } } },
})
const describedAs = (operation: Json) =>
  ({
    info: { version: '1.0.0' },
    paths: { '/x': { get: { parameters: [], ...operation } } },
  }) as unknown as Description
const object = (properties: Json, required: string[] = []) => ({ type: 'object', properties, required })
const text = { type: 'string' }
const query = (name: string, schema: Json = text, required = false) => ({
  name,
  in: 'query',
  required,
  schema,
})

describe('API change', () => {
  it.each<[string, Json, Json]>([
    ['a route that is gone', {}, { gone: true }],
    ['a field that is gone from an answer', answerOf(object({ a: text })), answerOf(object({}))],
    ['a field that may be missing', answerOf(object({ a: text }, ['a'])), answerOf(object({ a: text }))],
    ['another kind', answerOf(object({ a: text })), answerOf(object({ a: { type: 'number' } }))],
    [
      'null in an answer',
      answerOf(object({ a: text })),
      answerOf(object({ a: { anyOf: [text, { type: 'null' }] } })),
    ],
    ['a field that must be sent', bodyOf(object({ a: text })), bodyOf(object({ a: text }, ['a']))],
    ['a field that is not read any more', bodyOf(object({ a: text })), bodyOf(object({}))],
    ['a shorter text', bodyOf(object({ a: text })), bodyOf(object({ a: { ...text, maxLength: 9 } }))],
    ['a word less', bodyOf({ enum: ['a', 'b'] }), bodyOf({ enum: ['a'] })],
    ['a body that must be sent', bodyOf(text, false), bodyOf(text)],
    ['a parameter that is gone', { ...answerOf(text), parameters: [query('q')] }, answerOf(text)],
    [
      'a parameter that must be sent',
      answerOf(text),
      { ...answerOf(text), parameters: [query('q', text, true)] },
    ],
    ['a higher level', answerOf(text), { ...answerOf(text), 'x-access': 'admin' }],
    ['no keys any more', { ...answerOf(text), 'x-scope': 'chat' }, answerOf(text)],
    ['another status', answerOf(text), { responses: { 204: {} } }],
  ])('is breaking when it is %s', (_, before, after) => {
    const now = after.gone ? { ...describedAs({}), paths: {} } : describedAs(after)
    expect(findBreaks(describedAs({ responses: {}, ...before }), now)).toHaveLength(1)
  })

  it.each<[string, Json, Json]>([
    ['a field more in an answer', answerOf(object({ a: text })), answerOf(object({ a: text, b: text }))],
    ['a word more in an answer', answerOf({ enum: ['a'] }), answerOf({ enum: ['a', 'b'] })],
    ['a field that may be sent', bodyOf(object({ a: text })), bodyOf(object({ a: text, b: text }))],
    ['a longer text', bodyOf({ ...text, maxLength: 9 }), bodyOf({ ...text, maxLength: 10 })],
    ['a text or a number', bodyOf(text), bodyOf({ anyOf: [text, { type: 'number' }] })],
    ['a parameter more', answerOf(text), { ...answerOf(text), parameters: [query('q')] }],
    ['an answer that is never null any more', answerOf({ anyOf: [text, { type: 'null' }] }), answerOf(text)],
  ])('is not breaking when it is %s', (_, before, after) => {
    expect(findBreaks(describedAs(before), describedAs(after))).toEqual([])
  })

  it('is absent between identical descriptions', () => expect(findBreaks(today, today)).toEqual([]))

  it('is counted when it adds something', () => {
    const [before, after] = [
      describedAs(answerOf(object({ a: text }))),
      describedAs(answerOf(object({ b: text }))),
    ]
    expect(findAdditions(before, after)).toEqual(['GET /x: 200.b'])
    expect(findAdditions({ ...before, paths: {} }, after)).toEqual(['GET /x'])
  })
})
