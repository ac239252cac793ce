import type { Profile } from '@node-saml/node-saml'
import { describe, expect, it } from 'vitest'
import { assertConfirmed, assertPlain } from './confirm-assertion.ts'

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const now = new Date('2026-01-01T00:00:00Z')
const expected = { issuer: 'https://idp.test', callback: 'https://a.test/acs', requestId: '_r', now }
const data = {
  ...{ Recipient: 'https://a.test/acs', NotOnOrAfter: '2026-01-01T00:05:00Z', InResponseTo: '_r' },
}
const confirmed = (said: object | null = data, Method = BEARER) => ({
  ...{ $: { Method } },
  ...(said && { SubjectConfirmationData: [{ $: said }] }),
})
const aProfile = (
  { confirmations = [confirmed()] as object[], id = '_a', subject = true } = {},
  more: object = {},
) =>
  ({
    issuer: 'https://idp.test',
    getAssertion: () => ({
      Assertion: { $: { ID: id }, ...(subject && { Subject: [{ SubjectConfirmation: confirmations }] }) },
    }),
    getSamlResponseXml: () =>
      '<Response Destination="https://a.test/acs"><Inner Destination="x"/></Response>',
    ...more,
  }) as unknown as Profile
const fault = (profile: Profile | null) => {
  try {
    return assertConfirmed(profile, expected)
  } catch (error) {
    return (error as Error).message
  }
}

describe('a signed assertion', () => {
  const counts = { id: '_a', until: new Date('2026-01-01T00:05:00Z') }
  const elsewhere = 'The SAML assertion was made for another address, request or time.'

  it('is valid for one address, one request and a limited time [SN-02]', () => {
    expect(fault(aProfile())).toEqual(counts)
    for (const lie of [
      { Recipient: 'https://b.test/acs' },
      { InResponseTo: '_s' },
      { NotOnOrAfter: now.toISOString() },
    ])
      expect(fault(aProfile({ confirmations: [confirmed({ ...data, ...lie })] }))).toBe(elsewhere)
    const soon = { ...data, NotOnOrAfter: '2026-01-01T00:00:00.001Z' }
    expect(fault(aProfile({ confirmations: [confirmed(soon)] }))).toMatchObject({ id: '_a' })
  })

  it('needs one confirmation that satisfies every bearer condition [SN-02]', () => {
    const foreign = confirmed({ ...data, Recipient: 'https://b.test/acs' })
    expect(fault(aProfile({ confirmations: [confirmed(null), foreign, confirmed()] }))).toEqual(counts)
    expect(fault(aProfile({ confirmations: [confirmed(data, 'urn:holder-of-key')] }))).toBe(elsewhere)
    for (const confirmations of [[], [confirmed(null)]])
      expect(fault(aProfile({ confirmations }))).toBe(elsewhere)
    const apart = [
      { ...data, Recipient: 'https://b.test/acs' },
      { ...data, InResponseTo: '_s' },
    ]
    expect(fault(aProfile({ confirmations: apart.map((said) => confirmed(said)) }))).toBe(elsewhere)
  })

  it('comes from the expected service and names the user [SN-02]', () => {
    expect(fault(null)).toBe('The SAML answer says of nobody who they are.')
    expect(fault(aProfile({}, { issuer: 'https://evil.test' }))).toBe(
      'The SAML assertion was made by another service.',
    )
  })

  it('is refused when a part is missing [SN-02]', () => {
    const lacking = [
      aProfile({ id: '' }),
      aProfile({ subject: false }),
      aProfile({}, { getAssertion: undefined }),
    ]
    for (const profile of lacking) expect(fault(profile)).toMatch(/Assertion|expected/i)
    const { Recipient: _, ...less } = data
    const dated = { ...data, NotOnOrAfter: 'tomorrow' }
    for (const said of [less, dated])
      expect(fault(aProfile({ confirmations: [confirmed(said)] }))).toMatch(/SubjectConfirmationData/)
  })

  it('must have a matching destination if it states one [SN-02]', () => {
    const sent = (xml: string) => fault(aProfile({}, { getSamlResponseXml: () => xml }))
    expect(sent('<Response/>')).toEqual(counts)
    expect(sent('<Response Destination=""/>')).toEqual(counts)
    expect(sent('<Response><Inner Destination="https://b.test"/></Response>')).toEqual(counts)
    expect(sent('<Response Destination="https://b.test/acs"/>')).toBe(
      'The SAML answer was sent to another address.',
    )
  })
})

describe('a SAML response', () => {
  const plain = (xml: string) => () => assertPlain(Buffer.from(xml).toString('base64'))

  it('is plain XML [SN-02]', () => {
    for (const xml of ['<a/>', '<?xml version="1.0"?><a/>']) expect(plain(xml)).not.toThrow()
    const strange = [
      '<!DOCTYPE a><a/>',
      '<a><!-- b --></a>',
      '<a><![CDATA[b]]></a>',
      '<?php a?><a/>',
      '<?xmlx?><a/>',
    ]
    for (const xml of strange) expect(plain(xml)).toThrow('The SAML answer is not plain XML.')
  })
})
