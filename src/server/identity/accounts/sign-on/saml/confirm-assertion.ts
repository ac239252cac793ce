import type { Profile } from '@node-saml/node-saml'
import { SaxesParser, type SaxesTag } from 'saxes'
import * as z from 'zod'
import { assertFewTags } from '../../../../platform/outbound/foreign/xml-bounds.ts'

const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

/** The conditions of a signed assertion, as parsed by `node-saml`. */
const Signed = z.object({
  Assertion: z.object({
    $: z.object({ ID: z.string().min(1) }),
    Subject: z.tuple([
      z.object({
        SubjectConfirmation: z.array(
          z.object({
            $: z.object({ Method: z.string() }),
            SubjectConfirmationData: z
              .tuple([
                z.object({
                  $: z.object({ Recipient: z.string(), NotOnOrAfter: moment, InResponseTo: z.string() }),
                }),
              ])
              .optional(),
          }),
        ),
      }),
    ]),
  }),
})

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/** Size limits. A response names one user with their groups: a thousand groups make some 2,500 tags. */
const bounds = { characters: 256 * 1024, tags: 3_000, depth: 30, attributes: 30 }

/**
 * Rejects comments, entities and document types in a response, because some parsers split text there.
 * @throws unless it is plain XML within the limits
 */
export function assertPlain(response: string): void {
  const xml = Buffer.from(response, 'base64').toString('utf8')
  assertFewTags(xml, bounds)
  if (xml.includes('<!') || /<\?(?!xml\s)/.test(xml)) throw new Error('The SAML answer is not plain XML.')
}

type Expected = { issuer: string; callback: string; requestId: string; now: Date }

/**
 * Checks what `node-saml` leaves open, using only the signed part: issuer, recipient address and request. Returns the assertion's id and
 * expiry.
 * @throws when a condition is not met
 */
export function assertConfirmed(
  profile: Profile | null,
  { issuer, callback, requestId, now }: Expected,
): { id: string; until: Date } {
  if (!profile) throw new Error('The SAML answer says of nobody who they are.')
  if (profile.issuer !== issuer) throw new Error('The SAML assertion was made by another service.')
  const { Assertion: assertion } = Signed.parse(profile.getAssertion?.())
  const data = assertion.Subject[0].SubjectConfirmation.filter(({ $ }) => $.Method === BEARER).map(
    ({ SubjectConfirmationData }) => SubjectConfirmationData?.[0].$,
  )
  const fitting = data.find(
    (one) => one?.Recipient === callback && one.InResponseTo === requestId && one.NotOnOrAfter > now,
  )
  if (!fitting) throw new Error('The SAML assertion was made for another address, request or time.')
  const destination = destinationOf(profile.getSamlResponseXml?.() ?? '')
  if (destination !== undefined && destination !== callback)
    throw new Error('The SAML answer was sent to another address.')
  return { id: assertion.$.ID, until: fitting.NotOnOrAfter }
}

function destinationOf(response: string): string | undefined {
  let root: SaxesTag | undefined
  const parser = new SaxesParser()
  parser.on('opentag', (tag) => {
    root ??= tag
  })
  parser.write(response).close()
  const destination = root?.attributes.Destination
  return typeof destination === 'string' && destination !== '' ? destination : undefined
}
