import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as z from 'zod'
import type { Route } from '../../platform/http.ts'
import { MAX_MODEL_NAME } from './model-name.ts'

const shared = new URL('../../', import.meta.url).pathname
const modules = await Promise.all(
  globSync('**/!(*.test).ts', { cwd: shared }).map((file) => import(/* @vite-ignore */ shared + file)),
)
const routes = modules.flatMap((module) => Object.values<unknown>(module)).filter(isRoute)
const NAMED = /^(?:model|model_names?|fallback|embedding_model|reranker|reranker_name)$/

it('lets every request name the longest model', () => {
  const limits = routes.flatMap(({ method, path, query, body }) =>
    [query, body].flatMap((schema) =>
      schema
        ? limitsIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), `${method} ${path}`)
        : [],
    ),
  )
  expect(limits.length).toBeGreaterThan(20)
  expect(limits.filter(({ most }) => most < MAX_MODEL_NAME)).toEqual([])
})

/** Returns the limits of the texts that name a model. */
function limitsIn(schema: unknown, where: string, name = ''): { where: string; most: number }[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { maxLength } = schema as { maxLength?: unknown }
  if (NAMED.test(name) && typeof maxLength === 'number')
    return [{ where: `${where} ${name}`, most: maxLength }]
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties'
      ? Object.entries(Object(value)).flatMap(([inner, one]) => limitsIn(one, where, inner))
      : limitsIn(value, where, name),
  )
}

function isRoute(value: unknown): value is Route {
  return (
    typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
  )
}
