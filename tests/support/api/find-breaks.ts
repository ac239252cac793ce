import { findOutside, type Schema } from './is-within.ts'

type Content = Record<string, { schema: Schema }>
type Parameter = { name: string; in: string; required: boolean; schema: Schema }
type Operation = {
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { content?: Content }>
  'x-access'?: string
  'x-scope'?: string
}
export type Description = { info: { version: string }; paths: Record<string, Record<string, Operation>> }

/** Returns changes that could break a client of the older description, one sentence each. */
export function findBreaks(older: Description, newer: Description): string[] {
  return operationsOf(older).flatMap(({ name, path, method, operation }) => {
    const now = newer.paths[path]?.[method]
    if (!now) return [`${name}: gone`]
    const found = [
      ...breaksOfAccess(operation, now),
      ...breaksOfQuestions(operation, now),
      ...breaksOfAnswers(operation, now),
    ]
    return found.map((what) => `${name} ${what}`)
  })
}

/** Returns additions of the newer description: routes, and fields of their requests and answers, by name. */
export function findAdditions(older: Description, newer: Description): string[] {
  return operationsOf(newer).flatMap(({ name, path, method, operation }) => {
    const before = older.paths[path]?.[method]
    if (!before) return [name]
    const known = fieldsOf(before)
    const added = [...fieldsOf(operation)].filter((field) => !known.has(field))
    return added.length > 0 ? [`${name}: ${added.join(', ')}`] : []
  })
}

const operationsOf = ({ paths }: Description) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...{ name: `${method.toUpperCase()} ${path}`, path, method, operation },
    })),
  )

const levels = [undefined, 'user', 'admin', 'super_admin']

function breaksOfAccess(old: Operation, now: Operation): string[] {
  const isHigher = levels.indexOf(now['x-access']) > levels.indexOf(old['x-access'])
  const isClosed = old['x-scope'] !== undefined && now['x-scope'] !== old['x-scope']
  return [isHigher && 'lets fewer people in', isClosed && 'asks for another scope'].filter(
    (one) => one !== false,
  )
}

function breaksOfQuestions(old: Operation, now: Operation): string[] {
  const of = ({ parameters }: Operation, { name, in: place }: Parameter) =>
    parameters.find((one) => one.name === name && one.in === place)
  const asked = now.parameters.filter((one) => one.required && !of(old, one)?.required)
  const ofParameters = old.parameters.map((one) => {
    const there = of(now, one)
    return there ? findOutside(one.schema, there.schema, 'question', one.name) : `${one.name}: no longer read`
  })
  const bodies = Object.entries(old.requestBody?.content ?? {}).map(([type, { schema }]) => {
    const there = now.requestBody?.content[type]
    return there ? findOutside(schema, there.schema, 'question', 'body') : `body: no ${type} any more`
  })
  const isAsked = now.requestBody?.required && !old.requestBody?.required
  return [
    ...asked.map(({ name }) => `${name}: must be sent`),
    ...(isAsked ? ['body: must be sent'] : []),
    ...[...ofParameters, ...bodies].filter((one) => one !== null),
  ]
}

function breaksOfAnswers(old: Operation, now: Operation): string[] {
  const successes = Object.entries(old.responses).filter(([status]) => status < '400')
  return successes.flatMap(([status, { content = {} }]) => {
    const there = now.responses[status]
    if (!there) return [`${status}: gone`]
    return Object.entries(content).flatMap(([type, { schema }]) => {
      const today = there.content?.[type]
      if (!today) return [`${status}: no ${type} any more`]
      return findOutside(today.schema, schema, 'answer', status) ?? []
    })
  })
}

function fieldsOf({ parameters, requestBody, responses }: Operation): Set<string> {
  const found = new Set(parameters.map(({ name, in: place }) => `${place} ${name}`))
  const visit = (node: unknown, at: string): void => {
    if (typeof node !== 'object' || node === null) return
    const { properties = {}, ...rest } = node as Schema
    for (const [name, one] of Object.entries(properties)) {
      found.add(`${at}.${name}`)
      visit(one, `${at}.${name}`)
    }
    for (const one of Object.values(rest).flat()) visit(one, at)
  }
  for (const { schema } of Object.values(requestBody?.content ?? {})) visit(schema, 'body')
  for (const [status, { content = {} }] of Object.entries(responses))
    for (const { schema } of Object.values(content)) visit(schema, status)
  return found
}
