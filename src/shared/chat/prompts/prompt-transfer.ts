import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'
import { MAX_PROMPTS, PromptContent } from './prompts.ts'

/** Maximum size of a file of prompts, in bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024

/** Prompts as one file. It contains no shares, versions or documents; assistant, model and tools are ids. */
export const PromptFile = z.object({
  atrium: z.literal('prompts'),
  format: z.literal(1),
  prompts: z
    .array(z.omit(PromptContent, { documents: true }))
    .check(z.maxLength(MAX_PROMPTS), z.minLength(1)),
})
export type PromptFile = z.infer<typeof PromptFile>

export const exportPrompts = route({
  method: 'POST',
  path: '/prompts/export',
  access: 'user',
  fails: ['not_found'],
  summary: 'Prompts as one file: the given ones, or all of the caller’s own',
  body: z.object({ ids: z.optional(z.array(Id).check(z.maxLength(MAX_PROMPTS), z.minLength(1))) }),
  answer: PromptFile,
})

export const importPrompts = route({
  method: 'POST',
  path: '/prompts/import',
  access: 'user',
  fails: ['conflict'],
  bodyLimit: MAX_FILE_BYTES,
  maxValues: 300_000,
  summary:
    'Create the prompts of a file, all of them or none. A command that is taken gets a number; what the caller may not use is left out',
  status: 201,
  body: PromptFile,
  answer: z.object({ count: z.int(), renamed: z.int(), without: z.int() }),
})
