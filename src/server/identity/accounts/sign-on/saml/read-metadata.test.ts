import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseMetadata, readMetadata } from './read-metadata.ts'

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'
const spaces = 'xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#"'
const key = (certificate: string, use = '') =>
  `<KeyDescriptor ${use && `use="${use}"`}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`
const entry = (location: string, binding = REDIRECT) =>
  `<SingleSignOnService Binding="${binding}" Location="${location}"/>`
const idp = (inside: string) => `<IDPSSODescriptor>${inside}</IDPSSODescriptor>`
const entity = (inside: string, id = 'https://idp.test', more = '') =>
  `<EntityDescriptor ${spaces} ${id && `entityID="${id}"`}>${inside}</EntityDescriptor>${more}`
const whole = entity(idp(key('QUJD') + entry('https://idp.test/sso')))
const fault = (text: string) => {
  try {
    return parseMetadata(text)
  } catch (error) {
    return (error as Error).message
  }
}

describe('identity provider metadata', () => {
  it('contains the issuer, the sign-in address and the certificates [SN-02]', () => {
    const found = {
      issuer: 'https://idp.test',
      logoutPoint: null,
      entryPoint: 'https://idp.test/sso',
      certificates: ['QUJD'],
    }
    expect(parseMetadata(whole)).toEqual(found)
    expect(parseMetadata(`<EntitiesDescriptor ${spaces}>${whole}</EntitiesDescriptor>`)).toEqual(found)
    const two = idp(key('QUJD', 'signing') + key(' RE\nVG ') + entry('http://idp.test/sso'))
    expect(parseMetadata(entity(two))).toEqual({
      ...{ ...found, entryPoint: 'http://idp.test/sso', certificates: ['QUJD', 'REVG'] },
    })
  })

  it('ignores encryption keys, service descriptors and other bindings [SN-02]', () => {
    const service = `<SPSSODescriptor>${key('U1A=')}${entry('https://sp.test')}</SPSSODescriptor>`
    const stranger = '<x:SingleSignOnService xmlns:x="x" Binding="x" Location="https://evil.test"/>'
    const inside = key('RU5D', 'encryption') + key('QUJD') + entry('https://idp.test/post', POST)
    const text = entity(service + idp(inside + stranger + entry('https://idp.test/sso')))
    expect(parseMetadata(text)).toMatchObject({
      ...{ entryPoint: 'https://idp.test/sso', certificates: ['QUJD'] },
    })
  })

  it('is refused when incomplete or for several providers [SN-02]', () => {
    const many = 'The SAML metadata are not of one identity provider.'
    const none = 'The SAML metadata name no address to sign in at by redirect.'
    const sso = entry('https://idp.test/sso')
    expect(fault(entity('<SPSSODescriptor/>'))).toBe(many)
    expect(fault(entity(idp(key('QUJD') + sso), ''))).toBe(many)
    const other = entity(idp(key('REVG') + sso), 'https://other.test')
    expect(fault(`<EntitiesDescriptor ${spaces}>${whole}${other}</EntitiesDescriptor>`)).toBe(many)
    for (const entries of [
      '',
      entry('https://idp.test', POST),
      entry('javascript:alert(1)'),
      entry('xhttps://a'),
    ])
      expect(fault(entity(idp(key('QUJD') + entries)))).toBe(none)
    for (const keys of ['', key('RU5D', 'encryption')])
      expect(fault(entity(idp(keys + sso)))).toBe('The SAML metadata name no certificate to sign with.')
    expect(fault(whole.replaceAll('SAML:2.0:metadata', 'SAML:2.0:other'))).toBe(many)
  })

  it('is refused unless it is plain XML [SN-02]', () => {
    for (const text of ['', 'hello', '<a><b></a>']) expect(fault(text)).toBe('The SAML metadata are no XML.')
    expect(fault(`<!DOCTYPE x>${whole}`)).toBe('The SAML metadata have a document type, which is not read.')
  })
})

describe('metadata from a URL', () => {
  let says = { status: 200, text: whole }
  const server = createServer((_, answer) => answer.writeHead(says.status).end(says.text))
  let url = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`
  })
  afterAll(() => server.close())

  it('is read when available and within the size limit [SN-02]', async () => {
    expect(await readMetadata(url)).toMatchObject({ issuer: 'https://idp.test' })
    says = { status: 500, text: whole }
    await expect(readMetadata(url)).rejects.toThrow('The address of the SAML metadata answered 500.')
    const padded = (length: number) => whole + ' '.repeat(length - whole.length)
    says = { status: 200, text: padded(1024 * 1024) }
    expect(await readMetadata(url)).toMatchObject({ issuer: 'https://idp.test' })
    says = { status: 200, text: padded(1024 * 1024 + 1) }
    await expect(readMetadata(url)).rejects.toThrow('The SAML metadata are too long.')
    await expect(readMetadata('/nowhere/http:.xml')).rejects.toThrow('ENOENT')
  })
})
