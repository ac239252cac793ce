import * as z from 'zod/mini'
import type { Assistant, NewAssistant } from '#shared/assistants/assistants.ts'
import { AgentType } from '#shared/sessions/sessions.ts'

/** What the form changes. */
export const Draft = z.object({
  name: z.string(),
  description: z.string(),
  icon: z.nullable(z.string()),
  agent_type: AgentType,
  model_name: z.nullable(z.string()),
  system_prompt: z.string(),
  example_prompts: z.array(z.string()),
  temperature: z.nullable(z.number()),
  documents: z.array(z.string()),
  tools: z.nullable(z.array(z.string())),
  shared: z.boolean(),
})
export type Draft = z.infer<typeof Draft>
export type Edits = Partial<Draft>
/** What a section of the form is given. */
export type SectionProps = { draft: Draft; change: (edits: Edits) => void }

const empty: Draft = {
  ...{ name: '', description: '', icon: null, agent_type: 'multi_turn', model_name: null },
  ...{ system_prompt: '', example_prompts: [], temperature: null, documents: [], tools: null, shared: false },
}

/** What the form shows: the assistant as it is stored, or an empty one, with what was changed since. */
export function draftOf(assistant: Assistant | null, edits: Edits): Draft {
  const stored = assistant ?? empty
  const names = Draft.def.shape
  const own = Object.fromEntries(Object.keys(names).map((name) => [name, stored[name as keyof Draft]]))
  return { ...(own as Draft), ...edits }
}

/** Of the edits those that differ from what is stored. */
export function changesOf(assistant: Assistant | null, edits: Edits): Edits {
  const stored = draftOf(assistant, {})
  const changed = Object.entries(edits).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name as keyof Draft]),
  )
  return Object.fromEntries(changed)
}

/** What is sent: examples without words are none. */
export function toBody(draft: Draft): NewAssistant {
  const example_prompts = draft.example_prompts.map((text) => text.trim()).filter(Boolean)
  return { ...draft, name: draft.name.trim(), description: draft.description.trim(), example_prompts }
}
