import * as z from 'zod/mini'

/** Controls of the interface that administrators can hide, by area. A control with the name of a feature is where that feature is used. */
export const controlAreas = {
  pages: ['home', 'documents', 'assistant', 'prompts', 'schedules', 'tools', 'memory', 'debug'],
  composer: [
    ...(['model_picker', 'compare_models', 'agent_picker', 'deep_research', 'tuning'] as const),
    ...(['assistant_picker', 'chat_tools', 'uploads', 'transcription', 'temporary_chats'] as const),
  ],
  chat: ['links', 'exports', 'feedback', 'context_gauge', 'selected_text'],
  creation: ['create_assistant', 'create_project', 'own_tools', 'mcp_servers', 'connectors', 'embeds'],
  account: ['api_keys', 'webhooks', 'import', 'top_up', 'tours'],
} as const
export type ControlArea = keyof typeof controlAreas

export const controls = Object.values(controlAreas).flat()
export const Control = z.enum(controls as [ControlName, ...ControlName[]])
type ControlName = (typeof controls)[number]
export type Control = z.infer<typeof Control>

/** Controls inside others: what is inside a hidden page or menu is hidden too. */
const inside: Partial<Record<Control, readonly Control[]>> = {
  assistant: ['create_assistant'],
  tools: ['own_tools', 'mcp_servers'],
  documents: ['connectors'],
  model_picker: ['compare_models'],
  agent_picker: ['deep_research'],
}

/** Returns the hidden controls with all controls inside them, in the order of the catalogue. */
export function withInside(hidden: ReadonlySet<string>): Control[] {
  const all = new Set<string>(hidden)
  for (const [outer, names] of Object.entries(inside))
    if (hidden.has(outer)) for (const name of names) all.add(name)
  return controls.filter((control) => all.has(control))
}
