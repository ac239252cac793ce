import { createHash } from 'node:crypto'
import { AppError } from '#shared/platform/errors.ts'
import { INTERFACES_PATH } from '#shared/platform/http.ts'
import type { ModuleUi, ToolUi } from '#shared/tools/tool-interfaces/tool-interfaces.ts'
import * as contract from '#shared/tools/tool-interfaces/tool-interfaces.ts'
import { auditBy, changed } from '../../identity/audit/audit.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../deps.ts'
import { readApp } from '../own-tools/own-tools.ts'
import { appPage, frameHeaders, framePolicy, modulePage, moduleScripts } from './frame-page.ts'
import { giveInterface } from './give-interface.ts'
import { createModuleLoader } from './load-module.ts'
import { removeInterface } from './store.ts'
import { createReadTicket, sealTicket } from './ticket.ts'
import { stripFrames } from './without-frames.ts'

/** Serves remote interfaces of tools. They are fetched and checked here, and shown in a frame without an origin. */
export function serveToolInterfaces(server: Server, deps: Deps): void {
  const load = createModuleLoader(deps)
  const readTicket = createReadTicket(deps)

  const findTool = async (toolId: string, userId: string) => {
    const tool = await deps.tools.find(toolId, userId)
    if (!tool) throw new AppError('not_found', `Tool with ID ${toolId} not found.`)
    const { ui } = tool.contract
    if (!ui) throw new AppError('conflict', 'This tool has no interface of its own.')
    return { tool, ui }
  }
  /** Returns what a ticket was made for, unless the tool has another interface meanwhile. */
  const findNamed = async (ticket: string, request: Parameters<typeof readTicket>[1]) => {
    const { tool: toolId, mark, user } = await readTicket(ticket, request)
    const found = await findTool(toolId, user.id)
    if (markOf(found.ui) !== mark) throw new AppError('not_found', 'This tool has another interface now.')
    return { ...found, userId: user.id }
  }

  serve(server, contract.openInterface, {
    handle: async ({ params: { toolId }, user }) => {
      const { tool, ui } = await findTool(toolId, user.id)
      const ready = (speaks: 'atrium' | 'mcp_apps', calls: Record<string, string>) => ({
        ...{ state: 'ready' as const, speaks, calls },
        path: `/tool-interfaces/${sealTicket(deps, user, { tool: toolId, mark: markOf(ui) })}`,
      })
      if (ui.kind === 'app') return ready('mcp_apps', (await readApp(deps, tool, user.id)).calls)
      const loaded = await load(toolId, ui)
      if (loaded.ok) return ready('atrium', Object.fromEntries(ui.calls.map((id) => [id, id])))
      return { state: 'changed' as const, approved: ui.sri, received: loaded.received }
    },
  })
  serve(server, contract.setInterface, {
    find: async ({ params: { toolId }, principal }) => {
      if (deps.tools.ids.includes(toolId))
        throw new AppError('forbidden', 'This tool is part of Atrium. It cannot be changed.')
      if (principal.kind === 'user' && !(await deps.tools.find(toolId, principal.id)))
        throw new AppError('not_found', `Tool with ID ${toolId} not found.`)
    },
    handle: async ({ params: { toolId }, body, user, request }) => {
      const tool = await deps.tools.find(toolId, user.id)
      if (tool?.made?.kind !== 'api')
        throw new AppError('invalid', 'Only tools that are API calls can be given an interface here.')
      const { name } = tool.contract
      const record = (trx: Parameters<ReturnType<typeof auditBy>>[0], change: string) =>
        auditBy(deps, { user, request })(trx, {
          ...{ did: 'tool.changed', subject: name, subjectId: toolId },
          changes: changed('interface', null, change),
        })
      if (!body.ui) {
        await deps.db.transaction().execute(async (trx) => {
          await removeInterface(trx, toolId)
          await record(trx, 'removed')
        })
        return { ui: null }
      }
      const before = tool.contract.ui
      const given = { toolId, wanted: body.ui, before: before && before.kind !== 'app' ? before : null }
      const ui = await giveInterface(deps, load, user.id, given, (trx, ui) => record(trx, placeOf(ui)))
      return { ui }
    },
  })
  serve(server, contract.readInterface, {
    handle: async ({ params: { ticket }, request, reply }) => {
      const { tool, ui, userId } = await findNamed(ticket, request)
      const address = `${INTERFACES_PATH}${ticket}/module`
      // The page has no origin of its own, so older browsers need the host by name.
      const scripts = moduleScripts(["'self'", `${request.protocol}://${request.host}${address}`])
      const { html, policy } =
        ui.kind === 'app'
          ? await readApp(deps, tool, userId).then(async (app) => ({
              html: appPage(await stripFrames(app.html)),
              policy: framePolicy(["'unsafe-inline'"], app),
            }))
          : {
              html: modulePage(address, ui.sri),
              policy: framePolicy(scripts, { connect: ui.connect, resources: ui.connect }),
            }
      reply.headers({ ...frameHeaders, 'content-security-policy': policy })
      await reply.type('text/html; charset=utf-8').send(html)
      return undefined as never
    },
  })
  serve(server, contract.readInterfaceModule, {
    handle: async ({ params: { ticket }, request, reply }) => {
      const { ui, tool } = await findNamed(ticket, request)
      if (ui.kind === 'app') throw new AppError('not_found', 'This interface is a page, not a module.')
      const loaded = await load(tool.contract.id, ui)
      if (!loaded.ok) throw new AppError('conflict', 'This interface is not the one that was approved.')
      // Pages without an origin may read it: its hash is known, and nothing else is served here.
      reply.headers({ ...frameHeaders, 'access-control-allow-origin': '*' })
      await reply.type('text/javascript; charset=utf-8').send(Buffer.from(loaded.code))
      return undefined as never
    },
  })
}

const markOf = (ui: ToolUi): string =>
  createHash('sha256')
    .update(ui.kind === 'app' ? ui.uri : `${ui.sri} ${ui.kind === 'remote' ? ui.url : ''}`)
    .digest('base64url')
    .slice(0, 22)

/** Returns its source for the audit log. */
const placeOf = (ui: ModuleUi): string => (ui.kind === 'remote' ? new URL(ui.url).origin : ui.file.name)
