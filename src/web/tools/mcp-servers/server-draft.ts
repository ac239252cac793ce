import {
  DEFAULT_LIMIT_SECONDS,
  type McpServer,
  type McpServerChanges,
  type NewMcpServer,
} from '#shared/tools/own-tools/mcp-servers.ts'

/** Form state of a server. */
export type Draft = {
  kind: 'http' | 'stdio'
  name: string
  place: string
  /** One secret per line. Any entry replaces all stored secrets. */
  secrets: string
  clientId: string
  clientSecret: string
  limitSeconds: number
}

export function startDraft(server: McpServer | null): Draft {
  const { name = '', kind = 'http', address = null, client_id = null } = server ?? {}
  const { limit_seconds: limitSeconds = DEFAULT_LIMIT_SECONDS } = server ?? {}
  return {
    ...{ kind, name, limitSeconds, place: address ? writePlace(address) : '', secrets: '' },
    ...{ clientId: client_id ?? '', clientSecret: '' },
  }
}

export function toWish(draft: Draft): NewMcpServer {
  const { name, limitSeconds } = draft
  return {
    name,
    address: readPlace(draft),
    secrets: readSecrets(draft.secrets),
    limit_seconds: limitSeconds,
    ...clientOf(draft),
  }
}

/** Builds the changes to send. Secrets and the OAuth client stay unchanged unless re-entered. */
export function toChanges(draft: Draft): McpServerChanges {
  const { name, secrets, clientSecret, limitSeconds } = draft
  return {
    ...{ name, address: readPlace(draft), limit_seconds: limitSeconds },
    ...(secrets.trim() === '' ? {} : { secrets: readSecrets(secrets) }),
    ...(clientSecret === '' ? {} : clientOf(draft)),
  }
}

function clientOf({ kind, clientId, clientSecret }: Draft) {
  if (kind !== 'http' || clientId.trim() === '') return {}
  return { client: { id: clientId, secret: clientSecret === '' ? null : clientSecret } }
}

/** Parses the address. A command is split into words; quotation marks enclose words with spaces. */
function readPlace({ kind, place }: Draft): NewMcpServer['address'] {
  if (kind === 'http') return { kind, url: place }
  const words = [...place.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const [command = '', ...args] = words
  return { kind, command, args }
}

/** Formats an address or command on one line; inverse of `readPlace`. */
export function writePlace(address: NonNullable<McpServer['address']>): string {
  if (address.kind === 'http') return address.url
  return [address.command, ...address.args].map((word) => (/\s|^$/.test(word) ? `"${word}"` : word)).join(' ')
}

/** Parses one `Name: value` pair per line. */
function readSecrets(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.search(/[:=]/)
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}
