import { useNavigate, useSearch } from '@tanstack/react-router'

type Named = { tried: string | null; execution: string | null }

/**
 * State in the URL of a tool's page: the execution being tried, and the one with open details.
 * Both survive a reload, and the inbox can link to them.
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
