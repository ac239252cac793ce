import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, label, text } from '../../platform/primitives.ts'

export const MAX_CLASSES = 20
export const MAX_CLASS_NAME = 60

/** A class of data. `position` grows with strictness, from 0. */
export const DataClass = z.object({
  id: Id,
  company_id: Id,
  name: z.string(),
  position: z.int(),
  /** New documents get it, and documents without a class have it. */
  is_default: z.boolean(),
})
export type DataClass = z.infer<typeof DataClass>

/** A class with the number of things and texts that carry it. A class in use cannot be removed. */
export const CompanyClass = z.extend(DataClass, { used: z.int() })
export type CompanyClass = z.infer<typeof CompanyClass>

/** A recipient of text: a connection to model providers, web search, or tools with a server of their own. */
export const ClassReceiver = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['models', 'web', 'tools']),
  /** The classes it may receive; null for everything. */
  classes: z.nullable(z.array(Id)),
})
export type ClassReceiver = z.infer<typeof ClassReceiver>

/** The class of a thing. */
export const ThingClass = z.object({
  /** Its own class; null when it has none. */
  class_id: z.nullable(Id),
  /** The class that counts: the strictest of its own, its projects' and its connector's; null when nothing has a class. */
  effective: z.nullable(DataClass),
  /** The thing that has this class, when it is stricter than its own. */
  inherited_from: z.nullable(
    z.object({ kind: z.enum(['document', 'project', 'connector']), name: z.string() }),
  ),
  /** True when the caller may choose another class: for documents their owner, and administrators of the company of its class. */
  can_change: z.boolean(),
  /** True when the caller may choose a less strict class. */
  can_lower: z.boolean(),
  /** The provider of the embedding model, when it may not receive a document: only its words are searched. */
  words_only: z.nullable(z.string()),
})
export type ThingClass = z.infer<typeof ThingClass>

const path = '/admin/companies/:companyId/classes'
const params = z.object({ companyId: Id })
const oneParams = z.object({ companyId: Id, classId: Id })
const name = label(1, MAX_CLASS_NAME)

export const listOwnClasses = route({
  method: 'GET',
  path: '/classes',
  access: 'user',
  summary: 'The classes of data of the caller’s companies, the most open one first',
  answer: z.object({
    items: z.array(DataClass),
    /** True once one of the companies keeps a class from a provider. */
    is_restricted: z.boolean(),
  }),
})

export const listClasses = route({
  method: 'GET',
  path,
  access: 'admin',
  may: 'manage company',
  summary: 'The classes of data of a company, the most open one first, and what each provider may receive',
  params,
  answer: z.object({ items: z.array(CompanyClass), receivers: z.array(ClassReceiver) }),
})

export const addClass = route({
  method: 'POST',
  path,
  access: 'admin',
  may: 'manage company',
  fails: ['conflict'],
  status: 201,
  summary: 'Add a class of data as the strictest one; restricted providers may not receive it',
  params,
  body: z.object({ name }),
  answer: CompanyClass,
})

export const changeClass = route({
  method: 'PATCH',
  path: `${path}/:classId`,
  access: 'admin',
  may: 'manage company',
  fails: ['conflict'],
  summary: 'Rename a class of data, move it, or make it the class of new documents',
  params: oneParams,
  body: z.object({
    name: z.optional(name),
    position: z.optional(z.int().check(z.minimum(0), z.maximum(MAX_CLASSES))),
    is_default: z.optional(z.literal(true)),
  }),
  answer: CompanyClass,
})

export const removeClass = route({
  method: 'DELETE',
  path: `${path}/:classId`,
  access: 'admin',
  may: 'manage company',
  fails: ['conflict'],
  status: 204,
  summary: 'Remove a class of data that nothing carries',
  params: oneParams,
})

export const setReceiver = route({
  method: 'PUT',
  path: '/admin/companies/:companyId/class-receivers/:receiver',
  access: 'admin',
  may: 'manage company',
  fails: ['not_found'],
  summary: 'Choose the classes that a provider may receive; null for everything',
  params: z.object({ companyId: Id, receiver: text(1, 200) }),
  body: z.object({ classes: z.nullable(z.array(Id).check(z.maxLength(MAX_CLASSES))) }),
  answer: ClassReceiver,
})

const body = z.object({ class_id: z.nullable(Id) })

export const getDocumentClass = route({
  method: 'GET',
  path: '/documents/:documentId/class',
  access: 'user',
  may: 'read document',
  summary: 'The class of data of a document',
  params: z.object({ documentId: Id }),
  answer: ThingClass,
})

export const setDocumentClass = route({
  method: 'PUT',
  path: '/documents/:documentId/class',
  access: 'user',
  may: 'read document',
  fails: ['forbidden', 'not_found'],
  summary:
    'Choose the class of a document that one owns or administers; administrators, and managers of its projects that others own, choose a less strict one',
  params: z.object({ documentId: Id }),
  body,
  answer: ThingClass,
})

export const getWorkspaceClass = route({
  method: 'GET',
  path: '/workspaces/:workspaceId/class',
  access: 'user',
  may: 'read workspace',
  summary: 'The class of data of a project',
  params: z.object({ workspaceId: Id }),
  answer: ThingClass,
})

export const setWorkspaceClass = route({
  method: 'PUT',
  path: '/workspaces/:workspaceId/class',
  access: 'user',
  may: 'manage workspace',
  fails: ['not_found'],
  summary: 'Choose the class of a project; its documents are at least as strict',
  params: z.object({ workspaceId: Id }),
  body,
  answer: ThingClass,
})

export const getConnectorClass = route({
  method: 'GET',
  path: '/connectors/:connectorId/class',
  access: 'user',
  may: 'read connector',
  summary: 'The class of data of a connector',
  params: z.object({ connectorId: Id }),
  answer: ThingClass,
})

export const setConnectorClass = route({
  method: 'PUT',
  path: '/connectors/:connectorId/class',
  access: 'user',
  may: 'write connector',
  fails: ['forbidden', 'not_found'],
  summary: 'Choose the class of a connector; administrators choose a less strict one',
  params: z.object({ connectorId: Id }),
  body,
  answer: ThingClass,
})

export const getDatabaseClass = route({
  method: 'GET',
  path: '/admin/databases/:databaseId/class',
  access: 'super_admin',
  may: 'manage database',
  fails: ['not_found'],
  summary: 'The class of data of a database',
  params: z.object({ databaseId: Id }),
  answer: ThingClass,
})

export const setDatabaseClass = route({
  method: 'PUT',
  path: '/admin/databases/:databaseId/class',
  access: 'super_admin',
  may: 'manage database',
  fails: ['not_found'],
  summary: 'Choose the class of a database',
  params: z.object({ databaseId: Id }),
  body,
  answer: ThingClass,
})
