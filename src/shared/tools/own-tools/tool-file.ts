import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { label, prose, text } from '../../platform/primitives.ts'
import { ToolPolicy } from '../tools/policy.ts'
import { Tool } from '../tools/tools.ts'
import { HttpAuth, HttpCall } from './http-call.ts'

/** Maximum number of tools per file. */
export const MAX_TOOLS_PER_FILE = 300

/** A tool in a file, without its secrets and shares. */
const FiledTool = z.object({
  key: text(1, 2_100),
  ui_name: label(1, 100),
  description: prose(1, 4_000),
  icon: z.nullable(text(0, 50)),
  policy: z.nullable(ToolPolicy),
  call: HttpCall,
})

/** Tools as a file, without secrets. */
export const ToolFile = z.object({
  format: z.literal('atrium-tools'),
  version: z.literal(1),
  sets: z
    .array(
      z.object({
        name: label(1, 200),
        auth: HttpAuth,
        tools: z.array(FiledTool).check(z.maxLength(MAX_TOOLS_PER_FILE), z.minLength(1)),
      }),
    )
    .check(z.maxLength(MAX_TOOLS_PER_FILE), z.minLength(1)),
})
export type ToolFile = z.infer<typeof ToolFile>

export const exportTools = route({
  method: 'POST',
  path: '/tools/export',
  access: 'user',
  fails: ['not_found'],
  summary: 'Tools of one’s own as one file, without secrets: those that are named, else all',
  body: z.object({ tool_ids: z.optional(z.array(text(1, 100)).check(z.maxLength(MAX_TOOLS_PER_FILE))) }),
  answer: ToolFile,
})

export const importTools = route({
  method: 'POST',
  path: '/tools/import',
  access: 'user',
  uses: 'feature own_tools',
  fails: ['conflict', 'not_found'],
  summary: 'Make the tools of a file; their secrets are entered afterwards',
  status: 201,
  bodyLimit: 10_000_000,
  body: ToolFile,
  answer: z.array(Tool),
})
