import { AppError } from '#shared/errors.ts'
import * as contract from '#shared/own-tools/mcp-servers.ts'
import type { Deps } from '../../deps.ts'
import { type Server, serve } from '../../http/serve.ts'
import { mcpBounds } from '../../mcp/mcp.ts'
import { writePolicy } from '../store.ts'
import { followServer } from './follow.ts'
import { findListing, forgetNews, listSets, listToolsOf, removeSet } from './mcp-store.ts'
import { changeServer, createServer } from './save-server.ts'
import { serverOf, setOf } from './server-of.ts'
import { describeContent } from './shape-result.ts'
import { showServer, summarise } from './show-server.ts'

/** Characters of a resource or a prompt that are shown. */
const MOST_TEXT = 200_000

/** MCP servers as people meet them: connecting one, what it offers, and what it says when it is read. */
export function serveMcpServers(server: Server, deps: Deps): void {
  const { db, mcp, log } = deps
  mcp.onChanged((serverId) => {
    // What a server says while it is being connected belongs to no set yet.
    if (serverId.startsWith('new-')) return
    followServer(deps, setOf(serverId)).catch((error) =>
      log.warn({ error }, 'An MCP server could not be listed.'),
    )
  })

  serve(server, contract.listMcpServers, {
    handle: async ({ user }) => (await listSets(db, user, 200)).map((set) => summarise(user, set)),
  })
  serve(server, contract.createMcpServer, {
    handle: async ({ user, body }) => showServer(deps, user, await createServer(deps, user, body)),
  })
  serve(server, contract.getMcpServer, {
    handle: ({ user, params }) => showServer(deps, user, params.toolSetId),
  })
  serve(server, contract.updateMcpServer, {
    handle: async ({ user, params, body }) => {
      await changeServer(deps, user, params.toolSetId, body)
      return showServer(deps, user, params.toolSetId)
    },
  })
  serve(server, contract.refreshMcpServer, {
    handle: async ({ user, params }) => {
      // Why it does not answer stands in what is shown.
      await followServer(deps, params.toolSetId).catch((error) => {
        if (!(error instanceof AppError)) throw error
      })
      return showServer(deps, user, params.toolSetId)
    },
  })
  serve(server, contract.deleteMcpServer, {
    handle: async ({ params }) => {
      const { id } = await serverOf(deps, params.toolSetId).catch(() => ({ id: '' }))
      await db.transaction().execute((trx) => removeSet(trx, params.toolSetId))
      await mcp.forget(id)
      return { message: 'The MCP server was forgotten.' }
    },
  })
  serve(server, contract.decideServerTool, {
    handle: async ({ user, params: { toolSetId }, body: { tool_id, policy } }) => {
      const tool = (await listToolsOf(db, toolSetId)).find(({ id }) => id === tool_id)
      if (!tool) throw new AppError('invalid', 'This server has no such tool.')
      await db.transaction().execute(async (trx) => {
        await writePolicy(trx, tool_id, policy)
        await forgetNews(trx, toolSetId, tool_id)
      })
      return showServer(deps, user, toolSetId)
    },
  })
  serve(server, contract.readServerResource, {
    handle: async ({ params, body: { uri } }) => {
      const parts = await mcp.readResource(await serverOf(deps, params.toolSetId), uri)
      return {
        parts: parts.slice(0, 50).map(({ text, blob = '', media_type }) => ({
          text: text === undefined ? null : text.slice(0, MOST_TEXT).toWellFormed(),
          media_type,
          bytes: text === undefined ? Math.floor((blob.length * 3) / 4) : Buffer.byteLength(text),
        })),
      }
    },
  })
  serve(server, contract.fillServerPrompt, {
    handle: async ({ params: { toolSetId }, body }) => {
      const listing = await findListing(db, toolSetId)
      if (!listing?.prompts.some(({ name }) => name === body.name))
        throw new AppError('invalid', 'This server has no such prompt.')
      const messages = await mcp.getPrompt(await serverOf(deps, toolSetId), body.name, body.arguments)
      return {
        messages: messages.slice(0, mcpBounds.prompts).map(({ role, content }) => {
          const text = describeContent(content).slice(0, MOST_TEXT).toWellFormed()
          return { role, text, media_type: null, bytes: Buffer.byteLength(text) }
        }),
      }
    },
  })
}
