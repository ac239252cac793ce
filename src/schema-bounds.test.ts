import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { findSlowInput } from '#tests/expressions/time-expression.ts'
import { findUnbounded, patternsOf } from '#tests/schema-bounds.ts'
import type { Route } from './shared/platform/http.ts'
import { Approval } from './shared/runs/runs/request.ts'
import type { ToolContract } from './shared/tools/tools/tool.ts'

const root = new URL('.', import.meta.url).pathname
const load = (pattern: string) =>
  Promise.all(globSync(pattern, { cwd: root }).map((file) => import(/* @vite-ignore */ root + file)))
const contracts = (await load('shared/**/!(*.test).ts')).flatMap((module) => Object.values<unknown>(module))
const tools = (await load('tools/*/contract.ts')).map(({ default: tool }) => tool as ToolContract)
const routes = contracts.filter(isRoute)

/** Schemas of all input from requests and models, by entry point. */
const entrances = [
  ...routes.flatMap(({ method, path, params, query, body }) =>
    Object.entries({ params, query, body }).map(([part, schema]) => ({
      name: `${method} ${path} ${part}`,
      schema,
    })),
  ),
  { name: 'answer to an approval', schema: Approval },
  ...tools.map(({ id, input }) => ({ name: `tool ${id}`, schema: input })),
].flatMap(({ name, schema }) => (schema ? [{ name, schema }] : []))

describe('request schemas', () => {
  it('are checked for every route and tool', () => {
    expect(routes.length).toBeGreaterThan(60)
    expect(tools.length).toBeGreaterThan(1)
  })

  it('bound every text, list and record, and check the length first', () => {
    expect(entrances.flatMap(({ name, schema }) => findUnbounded(schema, name))).toEqual([])
  })

  it('use only linear regular expressions', () => {
    const patterns = new Map(
      entrances.flatMap(({ schema }) => patternsOf(schema)).map((one) => [String(one), one]),
    )
    expect(patterns.size).toBeGreaterThan(3)
    expect([...patterns.values()].filter(({ source, flags }) => findSlowInput(source, flags))).toEqual([])
  })

  it.each([
    ['a text', z.object({ a: z.string() })],
    ['a list', z.object({ a: z.optional(z.array(z.int())) })],
    ['a record', z.record(z.string().max(5), z.int())],
    ['a length that is checked last', z.string().regex(/a/).max(5)],
    ['a length that stops nothing', z.string().max(5).regex(/a/)],
    ['a format without a length', z.union([z.email(), z.int()])],
  ])('are reported as unbounded with %s', (_, schema) => {
    expect(findUnbounded(schema)).toHaveLength(1)
  })
})

function isRoute(value: unknown): value is Route {
  return (
    typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
  )
}
