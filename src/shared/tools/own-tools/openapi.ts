import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, text, trimmed } from '../../platform/primitives.ts'
import { ToolPolicy } from '../tools/policy.ts'
import { HttpAuth, HttpMethod, KeptSecret, SecretValues } from './http-call.ts'

/** Characters of a description that is read. */
export const MOST_DESCRIPTION = 8_000_000
/** Somewhat more than is read, so that the answer is a sentence of ours; a character may take three bytes. */
const DESCRIPTION_BYTES = 26_000_000
/** Operations that are imported at once. */
export const MOST_OPERATIONS = 300

/** Where a description comes from: its text, or the address it stands at. */
const where = {
  text: z.optional(text(1, 3 * MOST_DESCRIPTION)),
  address: z.optional(trimmed(1, 2_000)),
}

/** One operation of a description. */
export const Operation = z.object({
  /** Its method and path, by which it is picked. */
  key: z.string(),
  method: HttpMethod,
  path: z.string(),
  /** The group it stands in. */
  tag: z.string(),
  summary: z.string(),
  /** Why it cannot be imported; null when it can. */
  unusable: z.nullable(z.string()),
})
export type Operation = z.infer<typeof Operation>

/** What a description of an API says. */
export const ApiDescription = z.object({
  title: z.string(),
  version: z.string(),
  /** Such as `OpenAPI 3.1`. */
  format: z.string(),
  /** Addresses the API stands at. */
  servers: z.array(z.string()),
  /** Ways to say who calls, and how many operations accept each. */
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

/** A set of tools that was imported, as its owner brings it up to date. */
export const ToolSet = z.object({
  id: Id,
  name: z.string(),
  auth: HttpAuth,
  /** Where its description was read, and the server that was chosen; null for tools made by hand. */
  source: z.nullable(z.object({ title: z.string(), address: z.nullable(z.string()), server: z.string() })),
  secrets: z.array(KeptSecret),
  /** Its tools, as the description calls them. */
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
  /** Null while nothing was stored. */
  set_id: z.nullable(Id),
  /** Operations by key. */
  added: z.array(z.string()),
  changed: z.array(z.object({ key: z.string(), parts: z.array(z.string()) })),
  /** They were imported once and are not picked any more, or are gone. */
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
    /** A set that was imported before. */
    set_id: z.nullish(Id),
    server: trimmed(1, 2_000),
    auth: z.optional(HttpAuth),
    secrets: z.optional(SecretValues),
    operations: z
      .array(z.object({ key: text(1, 2_100), policy: z.nullish(ToolPolicy) }))
      .check(z.maxLength(MOST_OPERATIONS), z.minLength(1)),
    dry_run: z._default(z.boolean(), false),
  }),
  answer: ImportDone,
})
