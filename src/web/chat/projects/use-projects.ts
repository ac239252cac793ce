import { useQuery } from '@tanstack/react-query'
import {
  changeProject,
  getProject,
  listProjects,
  markProjects,
  orderProjects,
  type Project,
  type ProjectMark,
} from '#shared/chat/projects/projects.ts'
import { listSessions } from '#shared/chat/sessions/sessions.ts'
import { call, callOrNotFound, type Given } from '../../platform/lib/api/call.ts'
import { pollEvery, queryClient } from '../../platform/lib/api/query-client.ts'
import { useToken } from '../../platform/lib/me/token.ts'

/** Query key of everything about projects. */
export const projectsKey = ['projects']
const listKey = [...projectsKey, 'list']
/** Polling interval, because chats of others are not pushed. */
const REFRESH_MS = 10_000

/** The person's projects in the order of the sidebar. */
export function useProjects() {
  return useQuery({
    queryKey: listKey,
    queryFn: ({ signal }) => call(listProjects, { signal }),
    enabled: useToken() !== null,
    refetchInterval: pollEvery(REFRESH_MS),
    select: ({ items }) => items,
  })
}

/** One project with its settings; `{ notFound: true }` if it does not exist for this person. */
export function useProject(workspaceId: string | null) {
  return useQuery({
    queryKey: [...projectsKey, 'one', workspaceId],
    queryFn: ({ signal }) =>
      callOrNotFound(getProject, { params: { workspaceId: workspaceId ?? '' }, signal }),
    enabled: workspaceId !== null,
  })
}

/** The newest chats of a project that the person may read. */
export function useProjectChats(workspaceId: string, limit: number) {
  return useQuery({
    queryKey: [...projectsKey, 'chats', workspaceId, limit],
    queryFn: ({ signal }) => call(listSessions, { query: { workspace_id: workspaceId, limit }, signal }),
    refetchInterval: pollEvery(REFRESH_MS),
    placeholderData: (before) => before,
  })
}

export type ProjectChanges = NonNullable<Given<typeof changeProject>['body']>

/** Saves settings of a project. @throws ApiError */
export async function saveProject(workspaceId: string, body: ProjectChanges): Promise<void> {
  try {
    const saved = await call(changeProject, { params: { workspaceId }, body })
    queryClient.setQueryData([...projectsKey, 'one', workspaceId], saved)
  } finally {
    await readProjectsAgain()
  }
}

/** Shows and stores how the person arranges a project. @throws ApiError */
export async function markProject(mark: ProjectMark): Promise<void> {
  queryClient.setQueryData<{ items: Project[] }>(
    listKey,
    (data) => data && { items: patch(data.items, mark) },
  )
  try {
    await call(markProjects, { body: { items: [mark] } })
  } finally {
    await readProjectsAgain()
  }
}

function patch(items: Project[], { workspace_id, ...mark }: ProjectMark): Project[] {
  return items.map((item) => (item.id === workspace_id ? { ...item, ...mark } : item))
}

/** Moves a project before another one, or to the end. @throws ApiError */
export async function moveProject(workspace_id: string, before: string | null): Promise<void> {
  queryClient.setQueryData<{ items: Project[] }>(listKey, (data) => {
    const moved = data?.items.find(({ id }) => id === workspace_id)
    if (!data || !moved) return data
    const items = data.items.filter((item) => item !== moved)
    const at = items.findIndex(({ id }) => id === before)
    items.splice(at < 0 ? items.length : at, 0, moved)
    return { items }
  })
  try {
    await call(orderProjects, { body: { workspace_id, before } })
  } finally {
    await readProjectsAgain()
  }
}

/** Refetches projects and workspaces, which share their rows. */
export async function readProjectsAgain(): Promise<void> {
  await Promise.all(
    [projectsKey, ['workspaces']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )
}
