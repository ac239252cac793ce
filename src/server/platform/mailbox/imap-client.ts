import { isIP } from 'node:net'
import type { ImapFlow } from 'imapflow'
import { isLoopbackName } from '../config/host-names.ts'

const PATIENCE_MS = 20_000
/** A mail and the protocol around it. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024

/** A sign-in to a mail server. Without TLS from the start, STARTTLS is required unless the server is on this machine. */
export type ImapSignIn = {
  host: string
  port: number
  isSecure: boolean
  username: string
  password: string
  /** Address to connect to, for a name that was resolved before. Its certificate must be that of `host`. */
  address?: string
}

/** Connects and signs in. The library loads with the first connection. @throws the error of the server */
export async function connectImap({ host, address = host, ...signIn }: ImapSignIn): Promise<ImapFlow> {
  const { ImapFlow } = await import('imapflow')
  const { port, isSecure, username, password } = signIn
  const client = new ImapFlow({
    ...{ host: address, port, secure: isSecure, logger: false as const, disableAutoIdle: true },
    ...(isIP(host) ? {} : { servername: host }),
    ...(isSecure ? {} : { doSTARTTLS: !isLoopbackName(host) }),
    auth: { user: username, pass: password },
    ...{ connectionTimeout: PATIENCE_MS, greetingTimeout: PATIENCE_MS },
    ...{ maxLiteralSize: MAX_RESPONSE_BYTES, maxResponseSize: MAX_RESPONSE_BYTES * 2 },
  })
  // An error also closes the connection, so that the next command fails.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    client.close()
    throw error
  }
}
