import { AppError } from '#shared/platform/errors.ts'
import { getServerHealth } from '#shared/tools/own-tools/mcp-health.ts'
import * as contract from '#shared/tools/own-tools/mcp-servers.ts'
import { auditBy } from '../../../identity/audit/audit.ts'
import { type Server, serve } from '../../../platform/http/serve.ts'
import { mcpBounds } from '../../../platform/mcp/mcp.ts'
import type { Deps } from '../../deps.ts'
import { decideReading, decideTool } from './decide-tools.ts'
import { followServer } from './follow.ts'
import { connectingOf } from './may-connect.ts'
import { findListing, listSets, removeSet } from './mcp-store.ts'
import { describeContent } from './results/shape-result.ts'
import { changeServer, createServer } from './save-server.ts'
import { sayWhy } from './say-why.ts'
import { followHealth, readHealth } from './server-health.ts'
import { serverOf, setOf } from './server-of.ts'
import { showServer, summarise } from './show-server.ts'

/** Maximum characters shown of a resource or a prompt. */
const MAX_TEXT_CHARACTERS = 200_000

/** Serves MCP servers for people: connecting them, listing their offer, and reading resources and prompts. */
export function serveMcpServers(server: Server, deps: Deps): void {
  const { db, mcp, log } = deps
  followHealth(deps)
  mcp.onChanged((serverId) => {
    // Messages of a server that is being connected do not belong to a set yet.
    if (serverId.startsWith('new-')) return
    followServer(deps, setOf(serverId)).catch((error) =>
      log.warn({ error }, 'An MCP server could not be listed.'),
    )
  })

  serve(server, contract.listMcpServers, {
    handle: async ({ user }) => (await listSets(db, user, 200)).map((set) => summarise(user, set)),
  })
  serve(server, contract.getMcpConnecting, { handle: async ({ user }) => connectingOf(deps, user) })
  serve(server, contract.createMcpServer, {
    handle: async ({ user, body, request }) =>
      showServer(deps, user, await createServer(deps, user, body, auditBy(deps, { user, request }))),
  })
  serve(server, contract.getMcpServer, {
    handle: ({ user, params }) => showServer(deps, user, params.toolSetId),
  })
  serve(server, contract.updateMcpServer, {
    handle: async ({ user, params, body, request }) => {
      await changeServer(deps, user, params.toolSetId, body, auditBy(deps, { user, request }))
      return showServer(deps, user, params.toolSetId)
    },
  })
  serve(server, getServerHealth, { handle: ({ params }) => readHealth(deps, params.toolSetId) })
  serve(server, contract.refreshMcpServer, {
    handle: async ({ user, params, query }) => {
      if (query.reconnect !== undefined) await mcp.forget(`${params.toolSetId}:`)
      // The reason for a missing answer is part of the shown server.
      await followServer(deps, params.toolSetId).catch((error) => {
        if (!(error instanceof AppError)) throw error
      })
      return showServer(deps, user, params.toolSetId)
    },
  })
  serve(server, contract.deleteMcpServer, {
    handle: async ({ params: { toolSetId }, user, request }) => {
      await db.transaction().execute(async (trx) => {
        const subject = await removeSet(trx, toolSetId)
        const entry = { subject, subjectId: toolSetId }
        await auditBy(deps, { user, request })(trx, { did: 'mcp_server.removed', ...entry })
      })
      await mcp.forget(toolSetId)
      return { message: 'The MCP server was deleted.' }
    },
  })
  serve(server, contract.decideServerTool, {
    handle: async ({ user, params: { toolSetId }, body, request }) => {
      await decideTool(deps, user, toolSetId, body, auditBy(deps, { user, request }))
      return showServer(deps, user, toolSetId)
    },
  })
  serve(server, contract.decideReadingTools, {
    handle: async ({ user, params: { toolSetId }, body, request }) => {
      await decideReading(deps, user, toolSetId, body, auditBy(deps, { user, request }))
      return showServer(deps, user, toolSetId)
    },
  })
  serve(server, contract.readServerResource, {
    handle: async ({ params, user, body: { uri } }) => {
      const server = await serverOf(deps, params.toolSetId, user.id)
      const parts = await mcp.readResource(server, uri).catch(sayWhy)
      return {
        parts: parts.slice(0, 50).map(({ text, blob = '', media_type }) => ({
          text: text === undefined ? null : text.slice(0, MAX_TEXT_CHARACTERS).toWellFormed(),
          media_type,
          bytes: text === undefined ? Math.floor((blob.length * 3) / 4) : Buffer.byteLength(text),
        })),
      }
    },
  })
  serve(server, contract.fillServerPrompt, {
    handle: async ({ params: { toolSetId }, user, body }) => {
      const listing = await findListing(db, toolSetId)
      if (!listing?.prompts.some(({ name }) => name === body.name))
        throw new AppError('invalid', 'This server has no such prompt.')
      const server = await serverOf(deps, toolSetId, user.id)
      const messages = await mcp.getPrompt(server, body.name, body.arguments).catch(sayWhy)
      return {
        messages: messages.slice(0, mcpBounds.prompts).map(({ role, content }) => {
          const text = describeContent(content).slice(0, MAX_TEXT_CHARACTERS).toWellFormed()
          return { role, text, media_type: null, bytes: Buffer.byteLength(text) }
        }),
      }
    },
  })
}
