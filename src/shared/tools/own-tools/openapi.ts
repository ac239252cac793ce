import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, text, trimmed } from '../../platform/primitives.ts'
import { ToolPolicy } from '../tools/policy.ts'
import { HttpAuth, HttpMethod, KeptSecret, SecretValues } from './http-call.ts'

/** Maximum characters of an API description. */
export const MAX_DESCRIPTION_CHARACTERS = 8_000_000
/** Slightly above the limit in characters of up to three bytes, so that our own error is returned. */
const DESCRIPTION_BYTES = 26_000_000
/** Maximum number of operations per import. */
export const MAX_OPERATIONS = 300

/** Source of a description: its text, or its address. */
const where = {
  text: z.optional(text(1, 3 * MAX_DESCRIPTION_CHARACTERS)),
  address: z.optional(trimmed(1, 2_000)),
}

/** One operation of an API description. */
export const Operation = z.object({
  /** Method and path, which identify it in a selection. */
  key: z.string(),
  method: HttpMethod,
  path: z.string(),
  /** Tag under which the operation is listed. */
  tag: z.string(),
  summary: z.string(),
  /** Reason it cannot be imported; null when it can. */
  unusable: z.nullable(z.string()),
})
export type Operation = z.infer<typeof Operation>

/** Summary of an API description. */
export const ApiDescription = z.object({
  title: z.string(),
  version: z.string(),
  /** Such as `OpenAPI 3.1`. */
  format: z.string(),
  /** Base addresses of the API. */
  servers: z.array(z.string()),
  /** Auth schemes, with the number of operations that accept each. */
  auths: z.array(z.object({ name: z.string(), auth: HttpAuth, operations: z.int() })),
  operations: z.array(Operation),
  characters: z.int(),
})
export type ApiDescription = z.infer<typeof ApiDescription>

export const readDescription = route({
  method: 'POST',
  path: '/tools/openapi/read',
  access: 'user',
  uses: 'feature own_tools',
  fails: ['not_available', 'provider_failed'],
  summary: 'What a description of an API (OpenAPI 3.0 or 3.1) offers; nothing is stored',
  bodyLimit: DESCRIPTION_BYTES,
  body: z.object(where),
  answer: ApiDescription,
})

/** An imported tool set, for its owner to update. */
export const ToolSet = z.object({
  id: Id,
  name: z.string(),
  auth: HttpAuth,
  /** Source of the description, and the selected server; null for tools made by hand. */
  source: z.nullable(z.object({ title: z.string(), address: z.nullable(z.string()), server: z.string() })),
  secrets: z.array(KeptSecret),
  /** Tools created from the description, each with its key there. */
  tools: z.array(z.object({ key: z.string(), tool_id: z.string(), policy: z.nullable(ToolPolicy) })),
})
export type ToolSet = z.infer<typeof ToolSet>

export const getToolSet = route({
  method: 'GET',
  path: '/tool-sets/:toolSetId',
  access: 'user',
  fails: ['invalid'],
  may: 'write tool-set',
  summary: 'A set of tools of one’s own, its secrets by name',
  params: z.object({ toolSetId: Id }),
  answer: ToolSet,
})

export const ImportDone = z.object({
  /** Null when nothing was stored. */
  set_id: z.nullable(Id),
  /** Operations by key. */
  added: z.array(z.string()),
  changed: z.array(z.object({ key: z.string(), parts: z.array(z.string()) })),
  /** Previously imported operations that are no longer selected or no longer exist. */
  removed: z.array(z.string()),
  same: z.int(),
})
export type ImportDone = z.infer<typeof ImportDone>

export const importDescription = route({
  method: 'POST',
  path: '/tools/openapi',
  access: 'user',
  uses: 'feature own_tools',
  fails: ['conflict', 'not_available', 'provider_failed', 'not_found'],
  summary:
    'Make tools of operations of a description, or bring those of a set up to date; `dry_run` only says what would change',
  bodyLimit: DESCRIPTION_BYTES,
  body: z.object({
    ...where,
    /** An imported set to update. */
    set_id: z.nullish(Id),
    server: trimmed(1, 2_000),
    auth: z.optional(HttpAuth),
    secrets: z.optional(SecretValues),
    operations: z
      .array(z.object({ key: text(1, 2_100), policy: z.nullish(ToolPolicy) }))
      .check(z.maxLength(MAX_OPERATIONS), z.minLength(1)),
    dry_run: z._default(z.boolean(), false),
  }),
  answer: ImportDone,
})
