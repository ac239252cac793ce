import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { record, text } from '../../platform/primitives.ts'
import { HttpAuth, HttpCall, SecretValues } from './http-call.ts'

/** A request for display, with dots in place of secrets. */
export const ShownRequest = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.nullable(z.string()),
})
export type ShownRequest = z.infer<typeof ShownRequest>

export const TriedCall = z.object({
  request: ShownRequest,
  /** Null for a dry run, and when no answer arrived. */
  answer: z.nullable(
    z.object({
      status: z.int(),
      ms: z.int(),
      bytes: z.int(),
      content_type: z.string(),
      /** Beginning of the answer. */
      raw: z.string(),
      /** The part passed to the model; absent when it is rejected. */
      seen: z.optional(z.unknown()),
    }),
  ),
  /** Reason for a missing result, in one sentence. */
  problem: z.nullable(z.string()),
})
export type TriedCall = z.infer<typeof TriedCall>

export const tryCall = route({
  method: 'POST',
  path: '/tools/try',
  afterTerms: true,
  access: 'user',
  uses: 'feature own_tools',
  fails: ['not_available', 'not_found', 'provider_failed'],
  summary:
    'Try a call before it is kept, or one of one’s own tools; nothing is stored. `dry_run` sends nothing',
  body: z.object({
    /** Tool whose secrets are used, and whose call when none is given. */
    tool_id: z.nullish(text(1, 100)),
    call: z.optional(HttpCall),
    auth: z.optional(HttpAuth),
    secrets: z.optional(SecretValues),
    inputs: z._default(record(200, z.unknown()), {}),
    dry_run: z._default(z.boolean(), false),
  }),
  answer: TriedCall,
})
