import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, queryInt } from '../../platform/primitives.ts'
import { SourceId } from '../connectors/sources.ts'

/** A connector that the caller may read, and whether the workspace contains its documents. */
export const WorkspaceConnector = z.object({
  id: Id,
  name: z.string(),
  source: SourceId,
  is_in: z.boolean(),
})
export type WorkspaceConnector = z.infer<typeof WorkspaceConnector>

const params = z.object({ workspaceId: Id })

export const listWorkspaceConnectors = route({
  method: 'GET',
  path: '/workspaces/:workspaceId/connectors',
  access: 'user',
  scope: 'documents.read',
  may: 'read workspace',
  summary: 'The connectors whose documents the caller may read, those of the workspace first, then by name',
  params,
  query: z.object({
    skip: queryInt({ min: 0, max: 100_000, fallback: 0 }),
    limit: queryInt({ min: 1, max: 100, fallback: 50 }),
  }),
  answer: z.object({ items: z.array(WorkspaceConnector), total: z.int() }),
})

export const setWorkspaceConnector = route({
  method: 'POST',
  path: '/workspaces/:workspaceId/connectors',
  access: 'user',
  scope: 'documents.write',
  may: 'write workspace',
  fails: ['not_found', 'held'],
  summary:
    'Put all documents of a connector into a workspace, with those that come later, or take them out. Who may read them stays the same',
  params,
  body: z.object({ connector_id: Id, is_in: z.boolean() }),
  answer: WorkspaceConnector,
})
