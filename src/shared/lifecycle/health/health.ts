import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { CodeReadiness } from '../../tools/tools/code-readiness.ts'

/** Parts of an installation, in display order. */
export const HealthName = z.enum([
  'models',
  'mail',
  'mailbox',
  'sandbox',
  'ocr',
  'office',
  'transcription',
  'storage',
  'disk',
  'queue',
  'search',
  'database',
  'backup',
])
export type HealthName = z.infer<typeof HealthName>

/** `limited`: works only partly or below its capacity. `missing`: features that need it do not work. */
export const HealthState = z.enum(['well', 'limited', 'missing'])
export type HealthState = z.infer<typeof HealthState>

/** Findings per part and state. The interface has a sentence for each, and advice for the last two states. */
export const findings = {
  well: [
    ...(['models_answer', 'mail_taken', 'sandbox_holds', 'ocr_system', 'office_there'] as const),
    ...(['speech_server', 'storage_kept', 'disk_roomy', 'queue_moves', 'search_answers'] as const),
    ...(['database_answers', 'backup_made', 'mailbox_read'] as const),
  ],
  limited: [
    ...(['models_none', 'models_some', 'mail_outbox', 'sandbox_trying', 'sandbox_no_python'] as const),
    ...(['sandbox_libraries', 'ocr_built_in', 'ocr_languages', 'speech_built_in'] as const),
    ...(['speech_no_decoder', 'disk_low', 'queue_given_up', 'queue_late', 'search_lexical'] as const),
    ...(['search_building', 'database_no_trigrams', 'backup_old'] as const),
    ...(['backup_never', 'mailbox_off', 'mailbox_starting', 'mailbox_unproved'] as const),
  ],
  missing: [
    ...(['models_away', 'mail_refused', 'outbox_unwritable', 'sandbox_open', 'ocr_missing'] as const),
    ...(['office_missing', 'office_broken', 'speech_missing', 'speech_away', 'storage_fails'] as const),
    ...(['disk_full', 'queue_no_worker', 'search_store_away', 'search_model_away', 'silent'] as const),
    ...(['failed', 'mailbox_fails', 'mailbox_unread'] as const),
  ],
} as const satisfies Record<HealthState, readonly string[]>

export const Finding = z.enum([...findings.well, ...findings.limited, ...findings.missing])
export type Finding = z.infer<typeof Finding>

/** State of a part when it was checked; `facts` fill its sentence: counts, bytes, names, or a server's reply. */
export const HealthPart = z.object({
  part: HealthName,
  state: HealthState,
  finding: Finding,
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type HealthPart = z.infer<typeof HealthPart>

/**
 * Returns whether the server can serve requests, and how many processes execute runs and jobs; 503 without a database.
 * With `details`, super admins get the state of every part as this process sees it, checked within the last seconds or
 * now with `again`. `code` is empty until code has been executed here.
 */
export const getHealth = route({
  method: 'GET',
  path: '/health',
  access: 'public',
  fails: ['forbidden', 'unauthenticated'],
  summary: 'Whether the server can serve',
  byWorkers: true,
  isUrgent: true,
  query: z.object({
    details: z.optional(z.enum(['', 'true'])),
    again: z.optional(z.enum(['', 'true'])),
  }),
  answer: z.object({
    status: z.literal('ok'),
    workers: z.int(),
    details: z.optional(
      z.object({
        code: z.array(CodeReadiness),
        parts: z.array(HealthPart),
        checked_at: z.string(),
        /** True when the checking process executes runs and jobs, so that the programs it found are the ones in use. */
        works_here: z.boolean(),
      }),
    ),
  }),
})
