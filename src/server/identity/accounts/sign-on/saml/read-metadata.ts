import { readFile } from 'node:fs/promises'
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { AppError } from '#shared/platform/errors.ts'
import { assertFewTags } from '../../../../platform/outbound/foreign/xml-bounds.ts'
import { type Outbound, readAtMost } from '../../../../platform/outbound/outbound.ts'
import { TIMEOUT_SECONDS } from '../sign-on-service.ts'

/** The parsed metadata of a SAML identity provider. `logoutPoint` is null when it has no address to sign out at by redirect. */
export type IdentityProvider = {
  issuer: string
  entryPoint: string
  logoutPoint: string | null
  certificates: string[]
}

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata'
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const maxBytes = 1024 * 1024

/** Reads the metadata named in the environment: a file or an address. @throws when they are incomplete */
export async function readMetadata(where: string): Promise<IdentityProvider> {
  return parseBounded(/^https?:/.test(where) ? await fetchText(where) : await readFile(where, 'utf8'))
}

/** Reads stored metadata: an address or the text itself, never a file. @throws when they are incomplete */
export async function readStoredMetadata(
  outbound: Pick<Outbound, 'fetch'>,
  given: string,
): Promise<IdentityProvider> {
  if (given.startsWith('<')) return parseBounded(given)
  const answer = await outbound.fetch(given, { trusted: [given], maxBytes, seconds: TIMEOUT_SECONDS })
  if (!answer.ok) throw new Error(`The address of the SAML metadata answered ${answer.status}.`)
  return parseBounded(answer.text())
}

function parseBounded(text: string): IdentityProvider {
  if (text.length > maxBytes) throw new Error('The SAML metadata are too long.')
  assertFewTags(text, { characters: maxBytes, tags: 20_000, depth: 50, attributes: 50 })
  return parseMetadata(text)
}

async function fetchText(address: string): Promise<string> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1000) })
  if (!answer.ok) throw new Error(`The address of the SAML metadata answered ${answer.status}.`)
  const bytes = await readAtMost(answer, maxBytes).catch((cause) => {
    throw cause instanceof AppError ? new Error('The SAML metadata are too long.', { cause }) : cause
  })
  return new TextDecoder().decode(bytes)
}

/** @throws when the text is no metadata of one identity provider that is visited by redirect and signs */
export function parseMetadata(text: string): IdentityProvider {
  const found = {
    issuers: new Set<string>(),
    entryPoints: [] as string[],
    logoutPoints: [] as string[],
    certificates: [] as string[],
  }
  const open: SaxesTagNS[] = []
  let certificate = ''
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw new Error('The SAML metadata are no XML.', { cause: error })
  })
  parser.on('doctype', () => {
    throw new Error('The SAML metadata have a document type, which is not read.')
  })
  const isWithin = (name: string) => open.some((tag) => tag.uri === METADATA && tag.local === name)
  const isForEncryption = () =>
    open.some((tag) => tag.local === 'KeyDescriptor' && tag.attributes.use?.value === 'encryption')
  const isCertificate = (tag?: SaxesTagNS) => tag?.uri === SIGNATURE && tag.local === 'X509Certificate'
  parser.on('opentag', (tag) => {
    open.push(tag)
    const attribute = (name: string) => tag.attributes[name]?.value ?? ''
    if (tag.uri === METADATA && tag.local === 'IDPSSODescriptor') {
      const entity = open.findLast(({ uri, local }) => uri === METADATA && local === 'EntityDescriptor')
      found.issuers.add(entity?.attributes.entityID?.value ?? '')
    }
    const isEntry = tag.uri === METADATA && tag.local === 'SingleSignOnService'
    if (isEntry && isWithin('IDPSSODescriptor') && attribute('Binding') === REDIRECT)
      found.entryPoints.push(attribute('Location'))
    const isLogout = tag.uri === METADATA && tag.local === 'SingleLogoutService'
    if (isLogout && isWithin('IDPSSODescriptor') && attribute('Binding') === REDIRECT)
      found.logoutPoints.push(attribute('Location'))
    if (isCertificate(tag)) certificate = ''
  })
  parser.on('text', (part) => {
    if (isCertificate(open.at(-1))) certificate += part
  })
  parser.on('closetag', () => {
    if (isCertificate(open.at(-1)) && isWithin('IDPSSODescriptor') && !isForEncryption())
      found.certificates.push(certificate.replace(/\s/g, ''))
    open.pop()
  })
  parser.write(text).close()
  const [issuer, ...others] = found.issuers
  const [entryPoint] = found.entryPoints
  if (!issuer || others.length > 0) throw new Error('The SAML metadata are not of one identity provider.')
  if (!entryPoint || !/^https?:\/\//.test(entryPoint))
    throw new Error('The SAML metadata name no address to sign in at by redirect.')
  if (found.certificates.length === 0) throw new Error('The SAML metadata name no certificate to sign with.')
  const logoutPoint = found.logoutPoints.find((address) => /^https?:\/\//.test(address)) ?? null
  return { issuer, entryPoint, logoutPoint, certificates: found.certificates }
}
