import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Tool, ToolKind } from '#shared/tools/tools/tools.ts'
import { useNameOf } from './look/tool-texts.tsx'

type Wish = { q?: string | undefined; kind?: ToolKind | undefined; view?: 'list' | undefined }

/** Tool filter and layout, stored in the URL for sharing and back navigation. */
export function useToolFilter() {
  const given = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const wish: Wish = {
    q: given.q === undefined ? undefined : String(given.q),
    kind: ToolKind.options.find((kind) => kind === given.kind),
    view: given.view === 'list' ? 'list' : undefined,
  }
  const change = (part: Wish) => {
    const search = Object.entries({ ...wish, ...part }).filter(([, value]) => value)
    void navigate({ to: '/tools', search: Object.fromEntries(search), replace: true })
  }
  return { query: wish.q ?? '', kind: wish.kind ?? null, isList: wish.view === 'list', change }
}

/** Returns the tools of a kind whose name contains the search words. */
export function useFound(
  tools: readonly Tool[] | undefined,
  { query, kind }: { query: string; kind: ToolKind | null },
) {
  const nameOf = useNameOf()
  const words = query.trim().toLowerCase()
  return (tools ?? []).filter((tool) => {
    if (kind && tool.kind !== kind) return false
    return `${nameOf(tool)} ${tool.name}`.toLowerCase().includes(words)
  })
}
