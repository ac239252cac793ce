import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { listProjects } from '#shared/chat/projects/projects.ts'
import { call } from '../../../platform/lib/api/call.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Returns the project that a path names: that of its page or of its library. */
function projectIn(path: string): string | null {
  const [, first, second, third] = path.split('/')
  const id =
    first === 'project' ? second : first === 'documents' && second === 'workspace' ? third : undefined
  return id && uuid.test(id) ? id : null
}

type Project = { id: string; name: string | null }
export type ProjectFilter = {
  /** The project that the palette is limited to, from the address. */
  project: Project | null
  /** The project of the current page, when it can be chosen. */
  offered: Project | null
  choose: (id: string | null) => void
}

/** Reads and changes the project in the address (`in`) that limits the palette. */
export function useProjectFilter(): ProjectFilter {
  const { in: named } = useSearch({ strict: false }) as { in?: unknown }
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const chosen = typeof named === 'string' && uuid.test(named) ? named : null
  const here = projectIn(pathname)
  const { data } = useQuery({
    queryKey: ['projects', 'for-palette'],
    queryFn: ({ signal }) => call(listProjects, { signal }),
    enabled: chosen !== null || here !== null,
    staleTime: 30_000,
  })
  const projectOf = (id: string): Project => ({
    id,
    name: data?.items.find((project) => project.id === id)?.name ?? null,
  })
  const offered = here !== null && chosen === null ? projectOf(here) : null
  return {
    project: chosen === null ? null : projectOf(chosen),
    offered: offered?.name ? offered : null,
    choose: (id) =>
      void navigate({
        to: '.',
        search: (before: Record<string, unknown>) => ({ ...before, in: id ?? undefined }),
        replace: true,
      } as never),
  }
}
