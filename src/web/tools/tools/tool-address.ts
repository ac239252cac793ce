import { useNavigate, useSearch } from '@tanstack/react-router'

type Named = { tried: string | null; execution: string | null }

/**
 * What the address of a tool's page names: the execution that is tried there, and the one whose details are open.
 * So both survive a reload, and the inbox can lead to them.
 */
export function useToolAddress(toolId: string) {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const named: Named = { tried: readId(search.tried), execution: readId(search.execution) }
  const change = (part: Partial<Named>) => {
    const wanted = Object.entries({ ...named, ...part }).filter(([, id]) => id)
    void navigate({
      to: '/tools/$toolId',
      params: { toolId },
      search: Object.fromEntries(wanted),
      replace: true,
    })
  }
  return { ...named, change }
}

function readId(value: unknown): string | null {
  return typeof value === 'string' && value ? value : null
}
