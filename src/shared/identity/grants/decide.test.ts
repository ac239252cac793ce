import { describe, expect, it } from 'vitest'
import { decide, type Grant, type Standing } from './decide.ts'

const [acme, beta] = ['acme', 'beta']
const house = (effect: Grant['effect'], who: Grant['who'], id = ''): Grant => ({
  ...{ decided_by: null, effect, who, id },
})
const company = (decided_by: string, effect: Grant['effect'], who: Grant['who'], id = ''): Grant => ({
  ...{ decided_by, effect, who, id },
})
const nobody: Standing = { companies: [], groups: [] }
const member: Standing = { companies: [{ id: acme, role: 'member' }], groups: [] }
const lawyer: Standing = { ...member, groups: ['lawyers'] }
const admin: Standing = { companies: [{ id: acme, role: 'company_admin' }], groups: [] }
const both: Standing = { companies: [...member.companies, { id: beta, role: 'company_admin' }], groups: [] }

/** The table in docs/decisions/0018. */
const cases: [string, Standing, Grant[], boolean, string][] = [
  ['nobody is named', nobody, [], true, 'open'],
  ['another is named', member, [house('allow', 'group', 'lawyers')], false, 'not_named'],
  ['their group is named', lawyer, [house('allow', 'group', 'lawyers')], true, 'named'],
  ['their company is named', member, [house('allow', 'company', acme)], true, 'named'],
  ['their role is named', admin, [house('allow', 'role', 'company_admin')], true, 'named'],
  ['another role is named', member, [house('allow', 'role', 'company_admin')], false, 'not_named'],
  [
    'one of two is theirs',
    lawyer,
    [house('allow', 'company', beta), house('allow', 'group', 'lawyers')],
    true,
    'named',
  ],
  ['it is closed to all', admin, [house('allow', 'nobody')], false, 'not_named'],
  ['without a company where one is named', nobody, [house('allow', 'company', acme)], false, 'not_named'],
  ['they are refused', lawyer, [house('refuse', 'group', 'lawyers')], false, 'refused'],
  ['others are refused', member, [house('refuse', 'group', 'lawyers')], true, 'open'],
  [
    'refused and named',
    lawyer,
    [house('allow', 'company', acme), house('refuse', 'group', 'lawyers')],
    false,
    'refused',
  ],
  ['their company names others', member, [company(acme, 'allow', 'group', 'lawyers')], false, 'not_named'],
  ['their company names them', lawyer, [company(acme, 'allow', 'group', 'lawyers')], true, 'named'],
  ['their company refuses their role', member, [company(acme, 'refuse', 'role', 'member')], false, 'refused'],
  [
    'their company refuses a role they have elsewhere',
    both,
    [company(acme, 'refuse', 'role', 'company_admin')],
    true,
    'open',
  ],
  [
    'another company decides',
    member,
    [company(beta, 'allow', 'nobody'), company(beta, 'refuse', 'role', 'member')],
    true,
    'open',
  ],
  [
    'a company cannot open what the house closed',
    lawyer,
    [house('allow', 'company', beta), company(acme, 'allow', 'group', 'lawyers')],
    false,
    'not_named',
  ],
  [
    'a company narrows what the house opened',
    member,
    [house('allow', 'company', acme), company(acme, 'allow', 'group', 'lawyers')],
    false,
    'not_named',
  ],
  ['one of two companies closes it', both, [company(beta, 'allow', 'nobody')], false, 'not_named'],
]

describe('decide', () => {
  it.each(cases)('%s', (_, standing, grants, may, reason) => {
    expect(decide(standing, grants)).toMatchObject({ may, because: { reason } })
    expect(decide(standing, grants.toReversed()).may).toBe(may)
  })

  it('names the grants that decide, and the company that excludes a person', () => {
    const refusal = house('refuse', 'group', 'lawyers')
    expect(decide(lawyer, [house('allow', 'company', acme), refusal]).because).toEqual({
      ...{ reason: 'refused', grants: [refusal] },
    })
    expect(decide(member, [company(acme, 'allow', 'group', 'lawyers')]).because).toEqual({
      ...{ reason: 'not_named', decided_by: acme },
    })
  })

  it("never grants more because of a company's decision", () => {
    for (const [, standing, grants] of cases) {
      const byHouse = grants.filter(({ decided_by }) => decided_by === null)
      if (decide(standing, grants).may) expect(decide(standing, byHouse).may).toBe(true)
    }
  })
})
