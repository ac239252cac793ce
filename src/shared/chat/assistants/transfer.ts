import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, label, text } from '../../platform/primitives.ts'
import { Assistant, AssistantFields } from './assistants.ts'

const Named = <Key extends z.core.$ZodType>(id: Key) => z.object({ id, name: text(0, 500) })

/**
 * An assistant as one file: its instructions and settings. Documents, workspaces and tools are referenced by name.
 * The file never contains secrets, chats or shares.
 */
export const AssistantFile = z.object({
  atrium: z.literal('assistant'),
  format: z.literal(1),
  name: label(1, 100),
  description: AssistantFields.shape.description,
  icon: AssistantFields.shape.icon,
  agent_type: AssistantFields.shape.agent_type,
  model_name: AssistantFields.shape.model_name,
  system_prompt: AssistantFields.shape.system_prompt,
  example_prompts: AssistantFields.shape.example_prompts,
  temperature: AssistantFields.shape.temperature,
  documents: z.array(Named(Id)).check(z.maxLength(1_000)),
  /** Empty in older files, which name no workspaces. */
  workspaces: z._default(z.array(Named(Id)).check(z.maxLength(100)), []),
  /** Null: all tools. */
  tools: z.nullable(z.array(Named(text(1, 100))).check(z.maxLength(100))),
})
export type AssistantFile = z.infer<typeof AssistantFile>

/** Parts of an imported assistant that the person may not use; empty when everything is available. */
export const MissingParts = z.object({
  /** The named model, when it is not connected or not offered. */
  model: z.nullable(z.string()),
  tools: z.array(z.object({ id: z.string(), name: z.string() })),
  documents: z.int(),
  workspaces: z.int(),
})
export type MissingParts = z.infer<typeof MissingParts>

const Params = z.object({ assistantId: Id })

export const getMissingParts = route({
  method: 'GET',
  path: '/assistants/:assistantId/missing',
  access: 'user',
  may: 'read assistant',
  summary: 'Which of its tools, documents, workspaces and models the caller may not use',
  params: Params,
  answer: MissingParts,
})

export const exportAssistant = route({
  method: 'GET',
  path: '/assistants/:assistantId/export',
  access: 'user',
  may: 'read assistant',
  summary: 'An assistant as one file that any installation can import',
  params: Params,
  answer: AssistantFile,
})

export const importAssistant = route({
  method: 'POST',
  path: '/assistants/import',
  access: 'user',
  fails: ['conflict', 'not_found'],
  summary: 'Make a draft of a file; what the caller may not use is left out and named',
  status: 201,
  body: AssistantFile,
  answer: z.object({ assistant: Assistant, left_out: MissingParts }),
})
