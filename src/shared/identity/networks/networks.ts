import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, text } from '../../platform/primitives.ts'

/** A list of networks restricts signing in and every request of the company's people, or its administration alone. */
export const Restricts = z.enum(['sign_in', 'administration'])
export type Restricts = z.infer<typeof Restricts>

export const MAX_NOTE_CHARACTERS = 200

/** A network of a company in CIDR notation, IPv4 or IPv6. */
export const CompanyNetwork = z.object({
  id: Id,
  restricts: Restricts,
  network: z.string(),
  note: z.string(),
  created_at: z.string(),
  /** True when the network includes the caller's address. */
  has_caller: z.boolean(),
})
export type CompanyNetwork = z.infer<typeof CompanyNetwork>

const path = '/admin/companies/:companyId/networks'
const params = z.object({ companyId: Id })
const oneParams = z.object({ companyId: Id, networkId: Id })
const note = text(0, MAX_NOTE_CHARACTERS)

export const listNetworks = route({
  method: 'GET',
  path,
  access: 'admin',
  may: 'manage company',
  summary: 'The networks to which a company restricts signing in and its administration, oldest first',
  params,
  answer: z.object({
    items: z.array(CompanyNetwork),
    /** The caller's address, as Atrium sees it. */
    address: z.string(),
    /** The address is that of a proxy that is not listed in ATRIUM_TRUST_PROXY. */
    is_proxy: z.boolean(),
  }),
})

export const addNetwork = route({
  method: 'POST',
  path,
  access: 'admin',
  may: 'manage company',
  fails: ['conflict'],
  status: 201,
  summary: 'Add a network to a list; refused if nobody who administers the company could enter afterwards',
  params,
  body: z.object({ restricts: Restricts, network: text(1, 64), note }),
  answer: CompanyNetwork,
})

export const changeNetwork = route({
  method: 'PATCH',
  path: `${path}/:networkId`,
  access: 'admin',
  may: 'manage company',
  summary: 'Change the note of a network',
  params: oneParams,
  body: z.object({ note }),
  answer: CompanyNetwork,
})

export const removeNetwork = route({
  method: 'DELETE',
  path: `${path}/:networkId`,
  access: 'admin',
  may: 'manage company',
  fails: ['conflict'],
  status: 204,
  summary: 'Remove a network; a list without networks restricts nothing',
  params: oneParams,
})
