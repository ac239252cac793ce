import type { ListedAssistant } from '#shared/chat/assistants/assistants.ts'

export type AssistantGroup = { name: 'own' | 'built_in' | 'shared'; assistants: ListedAssistant[] }

/** Returns assistants whose name or description contains every word of `query`, grouped: own ones, built-in ones, shared ones. */
export function groupAssistants(assistants: readonly ListedAssistant[], query: string): AssistantGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = assistants.filter(({ name, description }) => {
    const text = `${name} ${description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const groups: AssistantGroup[] = [
    { name: 'own', assistants: found.filter(({ own }) => own) },
    { name: 'built_in', assistants: found.filter(({ built_in }) => built_in) },
    { name: 'shared', assistants: found.filter(({ own, built_in }) => !own && !built_in) },
  ]
  return groups.filter((group) => group.assistants.length > 0)
}
