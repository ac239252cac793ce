import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'

/** Base path of the SCIM API. */
export const SCIM_BASE = '/scim/v2'

/** The connected directory of a company. Its token is only returned on creation. */
export const Directory = z.object({
  url: z.string(),
  /** Null when no directory is connected. */
  connected_at: z.nullable(z.string()),
  last_used_at: z.nullable(z.string()),
  people: z.int(),
  groups: z.int(),
  /** The person whom the directory created or changed last. */
  last_change: z.nullable(z.object({ name: z.string(), at: z.string() })),
  /** The last rejected change and its reason; a new token clears it. */
  last_refusal: z.nullable(z.object({ detail: z.string(), at: z.string() })),
})
export type Directory = z.infer<typeof Directory>

const params = z.object({ companyId: Id })
const path = '/admin/companies/:companyId/directory'

export const getDirectory = route({
  method: 'GET',
  path,
  access: 'admin',
  may: 'manage company',
  summary: 'The directory (SCIM 2.0) that is connected with a company',
  params,
  answer: Directory,
})

export const connectDirectory = route({
  method: 'POST',
  path,
  access: 'admin',
  may: 'manage company',
  summary: 'Make the token the directory of a company calls with; the one before counts no more',
  status: 201,
  params,
  answer: z.extend(Directory, { token: z.string() }),
})

export const disconnectDirectory = route({
  method: 'DELETE',
  path,
  access: 'admin',
  may: 'manage company',
  summary: 'Take the token of a directory back; the people it brought stay as they are',
  status: 204,
  params,
})
