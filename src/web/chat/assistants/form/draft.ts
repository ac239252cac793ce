import * as z from 'zod/mini'
import type { Assistant, NewAssistant } from '#shared/chat/assistants/assistants.ts'
import type { AssistantContent } from '#shared/chat/assistants/versions.ts'
import { AgentType } from '#shared/runs/runs/agent-type.ts'

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
  workspaces: z.array(z.string()),
  tools: z.nullable(z.array(z.string())),
  shares: z.array(z.object({ company_id: z.string(), access: z.enum(['use', 'edit']) })),
})
export type Draft = z.infer<typeof Draft>
export type Edits = Partial<Draft>
/** What a section of the form is given. */
export type SectionProps = { draft: Draft; change: (edits: Edits) => void }

const empty: Draft = {
  ...{ name: '', description: '', icon: null, agent_type: 'multi_turn', model_name: null },
  ...{ system_prompt: '', example_prompts: [], temperature: null, documents: [] },
  ...{ workspaces: [], tools: null, shares: [] },
}

/** What the form shows: the assistant as it is stored, or an empty one, with what was changed since. */
export function draftOf(assistant: Assistant | null, edits: Edits): Draft {
  const stored = assistant ? { ...assistant, shares: assistant.shares.map(toShare) } : empty
  const names = Draft.def.shape
  const own = Object.fromEntries(Object.keys(names).map((name) => [name, stored[name as keyof Draft]]))
  return { ...(own as Draft), ...edits }
}

const toShare = ({ company_id, access }: Draft['shares'][number]) => ({ company_id, access })

/** Of the edits those that differ from what is stored. */
export function changesOf(assistant: Assistant | null, edits: Edits): Edits {
  const stored = draftOf(assistant, {})
  const changed = Object.entries(edits).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name as keyof Draft]),
  )
  return Object.fromEntries(changed)
}

/** What the form says as a version would have it; one without a name is called `unnamed`. */
export function contentOf({ shares: _, ...draft }: Draft, unnamed: string): AssistantContent {
  const example_prompts = draft.example_prompts.map((text) => text.trim()).filter(Boolean)
  const [name, description] = [draft.name.trim() || unnamed, draft.description.trim()]
  return { ...draft, name, description, example_prompts }
}

/** What is sent: examples without words are none, and with whom it is shared is said by who decides it. */
export function toBody(draft: Draft, maySay: boolean): NewAssistant {
  return { ...contentOf(draft, ''), ...(maySay ? { shares: draft.shares } : {}) }
}
