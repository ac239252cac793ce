import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ListedAssistant } from '#shared/chat/assistants/assistants.ts'

export const kinds = ['own', 'built_in', 'shared'] as const
export type Kind = (typeof kinds)[number]

/** The filter of the list, which is part of the address. */
export function useListFilter() {
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as { q?: string; from?: string }
  const change = (next: { q?: string | undefined; from?: Kind | undefined }) => {
    const { q, from } = { ...search, ...next }
    const query = new URLSearchParams({ ...(q ? { q } : {}), ...(from ? { from } : {}) }).toString()
    void navigate({ href: query ? `/assistant?${query}` : '/assistant', replace: true })
  }
  return { query: search.q ?? '', kind: kinds.find((kind) => kind === search.from) ?? null, change }
}

/** Returns the origin of an assistant. */
export function kindOf({ own, built_in }: ListedAssistant): Kind {
  if (own) return 'own'
  return built_in ? 'built_in' : 'shared'
}
