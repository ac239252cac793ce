import { SCIM_BASE } from '#shared/identity/accounts/scim.ts'
import type { ScimGroupRow } from './scim-group-store.ts'
import type { ScimUserRow } from './scim-user-store.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0'
export const PAGE_MOST = 200

export function showUser(row: ScimUserRow, base: string) {
  const { id, user_name: userName, external_id, full_name, email, active, language } = row
  const [givenName = '', ...rest] = (full_name ?? '').split(' ')
  return {
    ...{ schemas: [`${core}:User`], id, userName, active, displayName: full_name ?? row.username },
    ...(external_id === null ? {} : { externalId: external_id }),
    name: { givenName, familyName: rest.join(' '), formatted: full_name ?? row.username },
    ...(email === null ? {} : { emails: [{ value: email, type: 'work', primary: true }] }),
    ...(language === null ? {} : { preferredLanguage: language }),
    meta: metaOf('User', row, base),
  }
}

export function showGroup(row: ScimGroupRow, base: string) {
  const { id, display_name: displayName, external_id, members } = row
  return {
    ...{ schemas: [`${core}:Group`], id, displayName, members },
    ...(external_id === null ? {} : { externalId: external_id }),
    meta: metaOf('Group', row, base),
  }
}

function metaOf(
  resourceType: 'User' | 'Group',
  { id, created_at, updated_at }: { id: string; created_at: Date; updated_at: Date },
  base: string,
) {
  const times = { created: created_at.toISOString(), lastModified: updated_at.toISOString() }
  return { resourceType, ...times, location: `${base}${SCIM_BASE}/${resourceType}s/${id}` }
}

/** Returns a page in the format of RFC 7644 (3.4.2). Indices start at 1. */
export function showList(resources: unknown[], total: number, startIndex: number) {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    ...{ totalResults: total, startIndex, itemsPerPage: resources.length, Resources: resources },
  }
}

export const providerConfig = {
  schemas: [`${core}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: PAGE_MOST },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      ...{ type: 'oauthbearertoken', name: 'Token', primary: true },
      description: 'The token an administrator made for the directory of their company',
    },
  ],
}

const typeOf = (name: 'User' | 'Group') => ({
  schemas: [`${core}:ResourceType`],
  ...{ id: name, name, endpoint: `/${name}s`, schema: `${core}:${name}` },
})
export const resourceTypes = [typeOf('User'), typeOf('Group')]

type Attribute = {
  name: string
  type?: string
  required?: boolean
  mutability?: string
  unique?: boolean
  of?: Attribute[]
}

function attribute({
  name,
  type = 'string',
  required = false,
  mutability = 'readWrite',
  unique = false,
  of,
}: Attribute): object {
  return {
    ...{ name, type, required, mutability, multiValued: name === 'emails' || name === 'members' },
    ...{ caseExact: false, returned: 'default', uniqueness: unique ? 'server' : 'none' },
    ...(of ? { subAttributes: of.map(attribute) } : {}),
  }
}

const schemaOf = (name: 'User' | 'Group', attributes: Attribute[]) => ({
  schemas: [`${core}:Schema`],
  ...{ id: `${core}:${name}`, name, attributes: attributes.map(attribute) },
})

/** Schemas of the stored attributes. Other attributes are ignored. */
export const schemas = [
  schemaOf('User', [
    { name: 'userName', required: true, unique: true },
    { name: 'externalId' },
    { name: 'displayName' },
    {
      name: 'name',
      type: 'complex',
      of: [{ name: 'givenName' }, { name: 'familyName' }, { name: 'formatted' }],
    },
    {
      name: 'emails',
      type: 'complex',
      of: [{ name: 'value' }, { name: 'type' }, { name: 'primary', type: 'boolean' }],
    },
    { name: 'active', type: 'boolean' },
    { name: 'preferredLanguage' },
  ]),
  schemaOf('Group', [
    { name: 'displayName', required: true, unique: true },
    { name: 'externalId' },
    {
      name: 'members',
      type: 'complex',
      of: [{ name: 'value' }, { name: 'display', mutability: 'readOnly' }],
    },
  ]),
]
