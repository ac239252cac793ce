import * as z from 'zod/mini'
import type { Assistant, NewAssistant } from '#shared/chat/assistants/assistants.ts'
import type { AssistantContent } from '#shared/chat/assistants/versions.ts'
import { AgentType } from '#shared/runs/runs/agent-type.ts'

/** Fields of the form. */
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
  workspaces: z.array(z.string()),
  tools: z.nullable(z.array(z.string())),
})
export type Draft = z.infer<typeof Draft>
export type Edits = Partial<Draft>
/** Props of a section of the form. */
export type SectionProps = { draft: Draft; change: (edits: Edits) => void }

const empty: Draft = {
  ...{ name: '', description: '', icon: null, agent_type: 'multi_turn', model_name: null },
  ...{ system_prompt: '', example_prompts: [], temperature: null, documents: [] },
  ...{ workspaces: [], tools: null },
}

/** Returns the form's content: the stored assistant, or an empty one, with the unsaved edits. */
export function draftOf(assistant: Assistant | null, edits: Edits): Draft {
  const stored = assistant ?? empty
  const names = Draft.def.shape
  const own = Object.fromEntries(Object.keys(names).map((name) => [name, stored[name as keyof Draft]]))
  return { ...(own as Draft), ...edits }
}

/** Returns the edits that differ from the stored assistant. */
export function changesOf(assistant: Assistant | null, edits: Edits): Edits {
  const stored = draftOf(assistant, {})
  const changed = Object.entries(edits).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name as keyof Draft]),
  )
  return Object.fromEntries(changed)
}

/** Returns the form's content as a version; one without a name is called `unnamed`. */
export function contentOf(draft: Draft, unnamed: string): AssistantContent {
  const example_prompts = draft.example_prompts.map((text) => text.trim()).filter(Boolean)
  const [name, description] = [draft.name.trim() || unnamed, draft.description.trim()]
  return { ...draft, name, description, example_prompts }
}

/** Returns the request body, without empty examples. */
export const toBody = (draft: Draft): NewAssistant => contentOf(draft, '')
