import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, queryInt } from '../../platform/primitives.ts'
import { LineChange } from '../checkpoints/checkpoints.ts'
import { contentFields, Prompt, PromptContent } from './prompts.ts'

/** Number of versions kept per prompt. */
export const MAX_VERSIONS = 100

const Field = z.enum(contentFields as [keyof PromptContent, ...(keyof PromptContent)[]])
const Version = z.int().check(z.gte(1), z.lte(2_000_000_000))
const queryVersion = z.coerce.number().check(z.int(), z.gte(1), z.lte(2_000_000_000))

export const PromptVersion = z.object({
  version: Version,
  /** Person who saved it; null when the account was deleted. */
  saved_by: z.nullable(z.string()),
  returned_from: z.nullable(Version),
  /** Fields that differ from the previous version. */
  changed: z.array(Field),
  created_at: z.string(),
})
export type PromptVersion = z.infer<typeof PromptVersion>

const params = z.object({ promptId: Id })

export const listPromptVersions = route({
  method: 'GET',
  path: '/prompts/:promptId/versions',
  access: 'user',
  may: 'write prompt',
  summary: 'The versions of a prompt, newest first. Pass the last one as `before` for older ones',
  params,
  query: z.object({
    before: z.optional(queryVersion),
    limit: queryInt({ min: 1, max: 100, fallback: 50 }),
  }),
  answer: z.object({ items: z.array(PromptVersion), has_more: z.boolean() }),
})

export const comparePromptVersions = route({
  method: 'GET',
  path: '/prompts/:promptId/versions/compare',
  access: 'user',
  fails: ['conflict'],
  may: 'write prompt',
  summary: 'Two versions of a prompt side by side, and the lines of their texts that differ',
  params,
  query: z.object({ a: queryVersion, b: queryVersion }),
  answer: z.object({
    a: PromptContent,
    b: PromptContent,
    differs: z.array(Field),
    text: z.array(LineChange),
  }),
})

export const restorePromptVersion = route({
  method: 'POST',
  path: '/prompts/:promptId/versions/:version/return',
  access: 'user',
  fails: ['conflict'],
  may: 'write prompt',
  summary: 'Make a new version with the content of an older one',
  params: z.object({ promptId: Id, version: queryVersion }),
  answer: Prompt,
})
