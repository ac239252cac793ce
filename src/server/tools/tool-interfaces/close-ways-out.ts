import { createHash } from 'node:crypto'

/**
 * Runs before anything of an interface does. A policy bounds what a page fetches, and browsers hold it to nothing for WebRTC: so its
 * constructors are taken away, and with them every way to a page within the page, which would have them again. What the
 * code uses is kept from being replaced by what runs later; markup given as text passes the one policy for trusted types.
 */
const CODE = `(() => {
const { apply, defineProperty } = Reflect
const text = String
const exec = RegExp.prototype.exec
const names = /^(?:[^:]*:)?(?:i?frame|frameset|object|embed|applet|portal|fencedframe)$/i
const markup = /<(?:[\\w-]*:)?(?:i?frame|frameset|object|embed|applet|portal|fencedframe)(?![\\w-])/i
const refuse = () => { throw new TypeError('Pages within the page are not available here.') }
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

/** The script as it stands first in every page of an interface, and how a policy names it. */
export const closingScript = `<script>${CODE}</script>`
export const closingHash = `'sha256-${createHash('sha256').update(CODE).digest('base64')}'`
