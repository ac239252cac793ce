import type { Assistant } from '#shared/assistants/assistants.ts'

export type AssistantGroup = { name: 'own' | 'built_in'; assistants: Assistant[] }

/** Assistants whose name or description holds every word of `query`: people's first, then those of the product. */
export function groupAssistants(assistants: readonly Assistant[], query: string): AssistantGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = assistants.filter(({ name, description }) => {
    const text = `${name} ${description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const groups: AssistantGroup[] = [
    { name: 'own', assistants: found.filter(({ built_in }) => !built_in) },
    { name: 'built_in', assistants: found.filter(({ built_in }) => built_in) },
  ]
  return groups.filter((group) => group.assistants.length > 0)
}
