import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'

/** What a SCIM client gets the paths of behind the address of the installation. */
export const SCIM_BASE = '/scim/v2'

/** The directory of a company, as it is connected. Its token is told once, when it is made. */
export const Directory = z.object({
  url: z.string(),
  /** Null: none is connected. */
  connected_at: z.nullable(z.string()),
  last_used_at: z.nullable(z.string()),
  people: z.int(),
  groups: z.int(),
  /** Whom the directory brought or changed last. */
  last_change: z.nullable(z.object({ name: z.string(), at: z.string() })),
  /** The last change that was refused, and why; a new token begins without. */
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
