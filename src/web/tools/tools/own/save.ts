import {
  createTool,
  deleteTool,
  getToolDefinition,
  type NewTool,
  type OwnTool,
  returnToVersion,
  updateTool,
} from '#shared/tools/own-tools/own-tools.ts'
import {
  type ModuleUi,
  setInterface,
  type WantedInterface,
} from '#shared/tools/tool-interfaces/tool-interfaces.ts'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { translate } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'

/** Query key of an own tool's definition. */
export const definitionKey = (toolId: string) => ['tool-definition', toolId]
export const versionsKey = (toolId: string) => ['tool-versions', toolId]

export const loadDefinition = (toolId: string, signal: AbortSignal): Promise<OwnTool> =>
  call(getToolDefinition, { params: { toolId }, signal })

/** Creates a tool and shows a toast. @throws the error of the call, after showing it */
export async function create(body: NewTool): Promise<Tool> {
  const made = await saying('create', () => call(createTool, { body }))
  await refresh(made.id)
  return made
}

/** Updates a tool and shows a toast. @throws the error of the call, after showing it */
export async function update(toolId: string, body: NewTool): Promise<Tool> {
  const saved = await saying('update', () =>
    call(updateTool, { params: { toolId }, body: { ...body, policy: body.policy ?? null } }),
  )
  await refresh(toolId)
  return saved
}

/** Restores an earlier version as a new one and shows a toast. @throws the error of the call, after showing it */
export async function returnTo(toolId: string, version: number): Promise<void> {
  await saying('update', () => call(returnToVersion, { params: { toolId }, body: { version } }))
  await refresh(toolId)
}

/** Sets a tool's interface, or removes it when null. Refetches the data shown with it. */
export async function setUi(toolId: string, ui: WantedInterface | null): Promise<ModuleUi | null> {
  const answer = await call(setInterface, { params: { toolId }, body: { ui } })
  queryClient.removeQueries({ queryKey: ['tool-interface', toolId] })
  await refresh(toolId)
  return answer.ui
}

/** Deletes a tool and shows a toast. @throws the error of the call, after showing it */
export async function remove(toolId: string): Promise<void> {
  await saying('delete', () => call(deleteTool, { params: { toolId } }))
  queryClient.removeQueries({ queryKey: definitionKey(toolId) })
  await refreshList()
}

/** Refetches all tool data on screen. */
export async function refreshList(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['tools'] })
}

async function refresh(toolId: string): Promise<void> {
  const keys = [['tool', toolId], definitionKey(toolId), versionsKey(toolId)]
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  await refreshList()
}

const said = { create: 'created', update: 'updated', delete: 'deleted' } as const

async function saying<Result>(what: keyof typeof said, act: () => Promise<Result>): Promise<Result> {
  try {
    const result = await act()
    void toast.success(translate(`own_tools:said.${said[what]}`))
    return result
  } catch (error) {
    void toast.error(translate(`own_tools:said.${what}_failed`))
    throw error
  }
}
