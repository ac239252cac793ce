import * as z from 'zod'
import { ItemRefused } from '../../define-connector.ts'
import type { Library } from './graph-drives.ts'
import type { Graph } from './graph-requests.ts'

const Identity = z.object({
  user: z.object({ email: z.string().nullish() }).nullish(),
  group: z.object({ id: z.string().nullish() }).nullish(),
  siteUser: z.object({ email: z.string().nullish(), loginName: z.string().nullish() }).nullish(),
})
type Identity = z.infer<typeof Identity>

const Permission = z.object({
  roles: z.array(z.string()).default([]),
  link: z.object({ scope: z.string().nullish() }).nullish(),
  grantedToV2: Identity.nullish(),
  grantedToIdentitiesV2: z.array(Identity).nullish(),
  expirationDateTime: z.string().nullish(),
})
type Permission = z.infer<typeof Permission>

/** Roles that allow reading. */
const READING = ['read', 'write', 'owner']
/** Graph writes this date for a permission that does not expire. */
const NEVER = '0001-01-01'

/**
 * Returns those who may read an item: people by address and groups by id. Links for everyone and for the whole organization, and groups of
 * a SharePoint site, are left out: Graph does not name their people.
 */
export async function readersOf(graph: Graph, library: Library, { id }: { id: string }): Promise<string[]> {
  const path = `/drives/${encodeURIComponent(library.id)}/items/${encodeURIComponent(id)}/permissions`
  try {
    const permissions = await graph.askAll(path, Permission)
    return [...new Set(permissions.filter(isValid).flatMap(identitiesOf).flatMap(keysOf))]
  } catch (error) {
    // The account may read the item but not its permissions.
    if (error instanceof ItemRefused) return []
    throw error
  }
}

function isValid({ roles, expirationDateTime }: Permission): boolean {
  const end = expirationDateTime && !expirationDateTime.startsWith(NEVER) ? expirationDateTime : null
  return roles.some((role) => READING.includes(role)) && (end === null || Date.parse(end) > Date.now())
}

function identitiesOf({ link, grantedToV2, grantedToIdentitiesV2 }: Permission): Identity[] {
  if (link && link.scope !== 'users') return []
  return [...(grantedToV2 ? [grantedToV2] : []), ...(grantedToIdentitiesV2 ?? [])]
}

function keysOf({ user, group, siteUser }: Identity): string[] {
  if (group?.id) return [`group:${group.id.toLowerCase()}`]
  // Login names end with the address, such as i:0#.f|membership|ada@orsane.eu.
  const login = siteUser?.loginName?.split('|').at(-1)
  const address = [user?.email, siteUser?.email, login].find((one) => one?.includes('@'))
  return address ? [`user:${address.toLowerCase()}`] : []
}

const Member = z.object({ mail: z.string().nullish(), userPrincipalName: z.string().nullish() })

/** Returns the members of groups, nested ones included. A group that the sign-in may not read has none. */
export async function listMembers(
  graph: Graph,
  groups: readonly string[],
): Promise<{ group_key: string; address: string }[]> {
  const all: { group_key: string; address: string }[] = []
  for (const group_key of groups) {
    const id = encodeURIComponent(group_key.slice('group:'.length))
    const members = await graph
      .askAll(
        `/groups/${id}/transitiveMembers/microsoft.graph.user?$select=mail,userPrincipalName&$top=999`,
        Member,
      )
      .catch((error) => {
        if (error instanceof ItemRefused) return []
        throw error
      })
    for (const { mail, userPrincipalName } of members) {
      const address = mail ?? userPrincipalName
      if (address) all.push({ group_key, address })
    }
  }
  return all
}
