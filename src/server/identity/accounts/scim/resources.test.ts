import { describe, expect, it } from 'vitest'
import { providerConfig, resourceTypes, schemas, showGroup, showList, showUser } from './resources.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0'
const times = { created_at: new Date('2026-01-01T00:00:00Z'), updated_at: new Date('2026-01-02T00:00:00Z') }
const shown = { created: '2026-01-01T00:00:00.000Z', lastModified: '2026-01-02T00:00:00.000Z' }
const base = 'https://atrium.test'

describe('a SCIM user resource', () => {
  const row = {
    ...{
      id: 'u1',
      user_name: 'ann@house.test',
      username: 'ann',
      external_id: 'e1',
      full_name: 'Ann van Lee',
    },
    ...{ email: 'ann@house.test', active: true, language: 'fr', ...times },
  }

  it('contains all stored attributes [SN-05]', () => {
    expect(showUser(row, base)).toEqual({
      ...{ schemas: [`${core}:User`], id: 'u1', userName: 'ann@house.test', externalId: 'e1', active: true },
      ...{ displayName: 'Ann van Lee', preferredLanguage: 'fr' },
      name: { givenName: 'Ann', familyName: 'van Lee', formatted: 'Ann van Lee' },
      emails: [{ value: 'ann@house.test', type: 'work', primary: true }],
      meta: { resourceType: 'User', ...shown, location: 'https://atrium.test/scim/v2/Users/u1' },
    })
  })

  it("uses the account's name when it has no other [SN-05]", () => {
    const nameless = showUser({ ...row, full_name: null, external_id: null }, base)
    expect(nameless).toMatchObject({
      ...{ displayName: 'ann', name: { givenName: '', familyName: '', formatted: 'ann' } },
    })
    expect(nameless).not.toHaveProperty('externalId')
  })
})

describe('a SCIM group resource', () => {
  it('contains its name and members [SN-05]', () => {
    const members = [{ value: 'u1', display: 'Ann' }]
    const row = { id: 'g1', display_name: 'Buyers', external_id: null, members, ...times }
    const meta = { resourceType: 'Group', ...shown, location: 'https://atrium.test/scim/v2/Groups/g1' }
    const group = { schemas: [`${core}:Group`], id: 'g1', displayName: 'Buyers', members, meta }
    expect(showGroup(row, base)).toEqual(group)
    expect(showGroup({ ...row, external_id: 'e1' }, base)).toEqual({ ...group, externalId: 'e1' })
  })
})

describe('the SCIM service description', () => {
  it('counts the entries of a page and in total [SN-05]', () => {
    expect(showList(['a', 'b'], 7, 3)).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      ...{ totalResults: 7, startIndex: 3, itemsPerPage: 2, Resources: ['a', 'b'] },
    })
  })

  it('offers PATCH and filters and no other optional feature [SN-05]', () => {
    const { patch, bulk, filter, changePassword, sort, etag, authenticationSchemes } = providerConfig
    expect(providerConfig.schemas).toEqual([`${core}:ServiceProviderConfig`])
    expect([patch.supported, filter.supported, filter.maxResults]).toEqual([true, true, 200])
    expect(bulk).toEqual({ supported: false, maxOperations: 0, maxPayloadSize: 0 })
    for (const other of [changePassword, sort, etag]) expect(other).toEqual({ supported: false })
    expect(authenticationSchemes).toMatchObject([{ type: 'oauthbearertoken', name: 'Token', primary: true }])
  })

  it('lists users and groups [SN-05]', () => {
    expect(resourceTypes).toEqual(
      ['User', 'Group'].map((name) => ({
        schemas: [`${core}:ResourceType`],
        ...{ id: name, name, endpoint: `/${name}s`, schema: `${core}:${name}` },
      })),
    )
  })

  it('states the mutability of each attribute (RFC 7643, 7) [SN-05]', () => {
    type Attribute = { name: string; type: string; subAttributes?: Attribute[] }
    const [user, group] = schemas.map((schema) => schema.attributes as Attribute[])
    expect(schemas.map(({ id, name, schemas }) => [id, name, schemas])).toEqual([
      [`${core}:User`, 'User', [`${core}:Schema`]],
      [`${core}:Group`, 'Group', [`${core}:Schema`]],
    ])
    const plain = {
      ...{ type: 'string', required: false, mutability: 'readWrite', multiValued: false },
      ...{ caseExact: false, returned: 'default', uniqueness: 'none' },
    }
    const named = (name: string, more: object = {}) => ({ name, ...plain, ...more })
    const parts = ['givenName', 'familyName', 'formatted'].map((name) => named(name))
    const email = [named('value'), named('type'), named('primary', { type: 'boolean' })]
    expect(user).toEqual([
      ...[named('userName', { required: true, uniqueness: 'server' }), named('externalId')],
      ...[named('displayName'), named('name', { type: 'complex', subAttributes: parts })],
      named('emails', { type: 'complex', multiValued: true, subAttributes: email }),
      ...[named('active', { type: 'boolean' }), named('preferredLanguage')],
    ])
    const member = [named('value'), named('display', { mutability: 'readOnly' })]
    expect(group).toEqual([
      ...[named('displayName', { required: true, uniqueness: 'server' }), named('externalId')],
      named('members', { type: 'complex', multiValued: true, subAttributes: member }),
    ])
  })
})
