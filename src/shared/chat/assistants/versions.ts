import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, queryInt } from '../../platform/primitives.ts'
import { LineChange } from '../checkpoints/checkpoints.ts'
import { Assistant, AssistantFields } from './assistants.ts'

/** Content of a version: all settings of the assistant without its shares. */
export const AssistantContent = z.omit(AssistantFields, { status: true, shared: true })
export type AssistantContent = z.infer<typeof AssistantContent>
export const contentFields = Object.keys(AssistantContent.def.shape) as (keyof AssistantContent)[]

const Field = z.enum(contentFields as [keyof AssistantContent, ...(keyof AssistantContent)[]])
const Version = z.int().check(z.gte(1), z.lte(2_000_000_000))

export const AssistantVersion = z.object({
  version: Version,
  /** Person who saved it; null when the account was deleted. */
  saved_by: z.nullable(z.string()),
  returned_from: z.nullable(Version),
  /** Fields that differ from the previous version. */
  changed: z.array(Field),
  created_at: z.string(),
})
export type AssistantVersion = z.infer<typeof AssistantVersion>

const Params = z.object({ assistantId: Id })

export const listAssistantVersions = route({
  method: 'GET',
  path: '/assistants/:assistantId/versions',
  access: 'user',
  may: 'write assistant',
  summary:
    'The versions of an assistant, newest first; every save makes one. Pass the last one as `before` for older ones',
  params: Params,
  query: z.object({
    before: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(2_000_000_000))),
    limit: queryInt({ min: 1, max: 100, fallback: 50 }),
  }),
  answer: z.object({ items: z.array(AssistantVersion), has_more: z.boolean() }),
})

const queryVersion = z.coerce.number().check(z.int(), z.gte(1), z.lte(2_000_000_000))

export const compareAssistantVersions = route({
  method: 'GET',
  path: '/assistants/:assistantId/versions/compare',
  access: 'user',
  fails: ['conflict'],
  may: 'write assistant',
  summary: 'Two versions of an assistant side by side, and the lines of their instructions that differ',
  params: Params,
  query: z.object({ a: queryVersion, b: queryVersion }),
  answer: z.object({
    a: AssistantContent,
    b: AssistantContent,
    differs: z.array(Field),
    instructions: z.array(LineChange),
  }),
})
export type VersionComparison = z.infer<NonNullable<typeof compareAssistantVersions.answer>>

export const returnToAssistantVersion = route({
  method: 'POST',
  path: '/assistants/:assistantId/versions/:version/return',
  access: 'user',
  fails: ['conflict'],
  may: 'write assistant',
  summary: 'Make a new version with the content of an older one',
  params: z.object({ assistantId: Id, version: queryVersion }),
  answer: Assistant,
})
