import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, label, Notice, queryInt, text } from '../../platform/primitives.ts'
import { DocumentFilter, DocumentPage } from '../documents/documents.ts'

/** A shelf of documents. Every person has a default one. */
export const Workspace = z.object({
  id: Id,
  name: z.string(),
  description: z.nullable(z.string()),
  is_default: z.boolean(),
  document_count: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Workspace = z.infer<typeof Workspace>

export const WORKSPACES_PER_PAGE = 50
const WorkspaceParams = z.object({ workspaceId: Id })

export const listWorkspaces = route({
  method: 'GET',
  path: '/workspaces',
  access: 'user',
  fails: ['not_found'],
  scope: 'documents.read',
  summary: 'Workspaces, the default one first, then by name; with `chat_session_id` those linked to it',
  query: z.object({
    page: queryInt({ min: 1, max: 1_000_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 200, fallback: WORKSPACES_PER_PAGE }),
    chat_session_id: z.optional(Id),
  }),
  answer: z.object({ items: z.array(Workspace), total: z.int(), has_more: z.boolean(), page: z.int() }),
})

export const getWorkspace = route({
  method: 'GET',
  path: '/workspaces/:workspaceId',
  access: 'user',
  scope: 'documents.read',
  may: 'read workspace',
  summary: 'One workspace',
  params: WorkspaceParams,
  answer: Workspace,
})

export const createWorkspace = route({
  method: 'POST',
  path: '/workspaces',
  access: 'user',
  fails: ['not_found'],
  scope: 'documents.write',
  summary: 'Make a workspace; with `chat_session_id` it is linked to that chat',
  status: 201,
  body: z.object({
    name: label(1, 100),
    description: z.nullish(text(0, 1000)),
    chat_session_id: z.optional(Id),
  }),
  answer: Workspace,
})

export const changeWorkspace = route({
  method: 'PUT',
  path: '/workspaces/:workspaceId',
  alsoMethods: ['PATCH'],
  access: 'user',
  may: 'manage workspace',
  summary: 'Rename or describe a workspace; not the default one',
  params: WorkspaceParams,
  body: z.object({ name: z.optional(label(1, 100)), description: z.nullish(text(0, 1000)) }),
  answer: Workspace,
})

export const deleteWorkspace = route({
  method: 'DELETE',
  path: '/workspaces/:workspaceId',
  access: 'user',
  scope: 'documents.write',
  may: 'manage workspace',
  fails: ['held'],
  summary: 'Delete a workspace; its documents stay in the library. Not the default one',
  params: WorkspaceParams,
  answer: Notice,
})

export const listWorkspaceDocuments = route({
  method: 'GET',
  path: '/documents/workspace/:workspaceId/documents',
  access: 'user',
  scope: 'documents.read',
  may: 'read workspace',
  summary: 'Documents of a workspace',
  params: WorkspaceParams,
  query: DocumentFilter,
  answer: DocumentPage,
})

export const countWorkspaceDocuments = route({
  method: 'GET',
  path: '/documents/workspace/:workspaceId/documents/count',
  access: 'user',
  scope: 'documents.read',
  may: 'read workspace',
  summary: 'How many documents a workspace has',
  params: WorkspaceParams,
  answer: z.object({ total: z.int() }),
})

export const addToWorkspace = route({
  method: 'POST',
  path: '/documents/workspace/:workspaceId/documents',
  access: 'user',
  scope: 'documents.write',
  may: 'write workspace',
  summary: 'Put documents of the library into a workspace as well',
  params: WorkspaceParams,
  body: z.object({ document_ids: z.array(Id).check(z.minLength(1), z.maxLength(200)) }),
  answer: z.object({ total: z.int() }),
})

const SessionWorkspaceParams = z.object({ sessionId: Id, workspaceId: Id })

export const linkWorkspace = route({
  method: 'POST',
  path: '/sessions/:sessionId/workspaces/:workspaceId',
  access: 'user',
  scope: 'chats',
  may: 'write session',
  summary: 'Let a chat answer from a workspace',
  params: SessionWorkspaceParams,
  answer: Notice,
})

export const unlinkWorkspace = route({
  method: 'DELETE',
  path: '/sessions/:sessionId/workspaces/:workspaceId',
  access: 'user',
  scope: 'chats',
  may: 'write session',
  summary: 'Unlink a workspace from a chat',
  params: SessionWorkspaceParams,
  answer: Notice,
})

const SessionDocumentParams = z.object({ sessionId: Id, documentId: Id })

export const linkDocument = route({
  method: 'POST',
  path: '/sessions/:sessionId/documents/:documentId',
  access: 'user',
  scope: 'chats',
  may: 'write session',
  summary: 'Let a chat answer from a document of the library',
  params: SessionDocumentParams,
  answer: Notice,
})

export const unlinkDocument = route({
  method: 'DELETE',
  path: '/sessions/:sessionId/documents/:documentId',
  access: 'user',
  scope: 'chats',
  may: 'write session',
  summary: 'Take a document out of a chat; it stays in the library',
  params: SessionDocumentParams,
  answer: Notice,
})
