import * as contract from '#shared/knowledge/workspaces/workspace-connectors.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { listReaching, placeConnector } from './workspace-connector-store.ts'

/** Serves the connectors of workspaces. */
export function serveWorkspaceConnectors(server: Server, { db }: Pick<Platform, 'db'>): void {
  serve(server, contract.listWorkspaceConnectors, {
    handle: ({ params, query, user }) => listReaching(db, user, params.workspaceId, query),
  })
  serve(server, contract.setWorkspaceConnector, {
    handle: async ({ params, body: { connector_id, is_in }, user }) => {
      const wish = { workspaceId: params.workspaceId, connectorId: connector_id, is_in }
      const placed = await placeConnector(db, user, wish)
      if (!placed) throw new AppError('not_found', 'Connector not found')
      return placed
    },
  })
}
