import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { assertPublicAddresses } from './fetchable.ts'

/** Resolves a name for a connection. Fails with PrivateHost when any of its addresses is private. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '')
    try {
      assertPublicAddresses(hostname, addresses)
    } catch (refusal) {
      return callback(refusal as Error, '')
    }
    const [first] = addresses
    if (options.all) callback(null, addresses)
    else callback(null, first?.address ?? '', first?.family)
  })
}
