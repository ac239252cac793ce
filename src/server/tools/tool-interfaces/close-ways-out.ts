import { createHash } from 'node:crypto'

/**
 * Runs before any code of an interface. A policy limits the page's requests, but browsers do not apply it to WebRTC. So its
 * constructors are removed, and with them all ways to create nested pages, which would have them again. The functions used
 * here are protected from replacement by later code; markup from text passes the only trusted-types policy.
 */
const CODE = `(() => {
const { apply, defineProperty } = Reflect
const text = String
const exec = RegExp.prototype.exec
const names = /^(?:[^:]*:)?(?:i?frame|frameset|object|embed|applet|portal|fencedframe)$/i
const markup = /<(?:[\\w-]*:)?(?:i?frame|frameset|object|embed|applet|portal|fencedframe)(?![\\w-])/i
const refuse = () => { throw new TypeError('Nested pages are not available here.') }
const fix = (owner, name, value) => { if (owner) defineProperty(owner, name, { value, writable: false, configurable: false }) }
for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'mozRTCPeerConnection', 'WebTransport', 'XSLTProcessor'])
  fix(globalThis, name, undefined)
const create = Document.prototype.createElement
fix(Document.prototype, 'createElement', function createElement(name, options) {
  const wanted = text(name)
  return apply(exec, names, [wanted]) === null ? apply(create, this, [wanted, options]) : refuse()
})
const createNS = Document.prototype.createElementNS
fix(Document.prototype, 'createElementNS', function createElementNS(space, name, options) {
  const wanted = text(name)
  return apply(exec, names, [wanted]) === null ? apply(createNS, this, [space, wanted, options]) : refuse()
})
fix(Document.prototype, 'execCommand', () => false)
defineProperty(XMLHttpRequest.prototype, 'responseType', { get: () => '', set() {}, configurable: false })
defineProperty(XMLHttpRequest.prototype, 'responseXML', { get: () => null, configurable: false })
if (globalThis.trustedTypes) {
  const check = (given) => apply(exec, markup, [given]) === null ? given : refuse()
  trustedTypes.createPolicy('default', { createHTML: check, createScript: (given) => given, createScriptURL: (given) => given })
  fix(globalThis, 'trustedTypes', undefined)
}
})()`

/** The script as the first element of every interface page, and its name for the policy. */
export const closingScript = `<script>${CODE}</script>`
export const closingHash = `'sha256-${createHash('sha256').update(CODE).digest('base64')}'`
