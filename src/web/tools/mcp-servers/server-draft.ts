import type { McpServer, McpServerChanges, NewMcpServer } from '#shared/tools/own-tools/mcp-servers.ts'

/** What the form of a server holds. */
export type Draft = {
  kind: 'http' | 'stdio'
  name: string
  place: string
  /** One a line; what is entered takes the place of all that is kept. */
  secrets: string
  clientId: string
  clientSecret: string
  companies: string[]
}

export function startDraft(server: McpServer | null): Draft {
  const { name = '', kind = 'http', address = null, client_id = null, companies = [] } = server ?? {}
  return {
    ...{ kind, name, place: address ? writePlace(address) : '', secrets: '' },
    ...{ clientId: client_id ?? '', clientSecret: '', companies },
  }
}

export function toWish(draft: Draft): NewMcpServer {
  const { name, companies } = draft
  return {
    name,
    address: readPlace(draft),
    secrets: readSecrets(draft.secrets),
    companies,
    ...clientOf(draft),
  }
}

/** Secrets and the client stay unless they are entered anew. */
export function toChanges(draft: Draft): McpServerChanges {
  const { name, secrets, clientSecret } = draft
  return {
    ...{ name, address: readPlace(draft) },
    ...(secrets.trim() === '' ? {} : { secrets: readSecrets(secrets) }),
    ...(clientSecret === '' ? {} : clientOf(draft)),
  }
}

function clientOf({ kind, clientId, clientSecret }: Draft) {
  if (kind !== 'http' || clientId.trim() === '') return {}
  return { client: { id: clientId, secret: clientSecret === '' ? null : clientSecret } }
}

/** A command is its words, in quotation marks where one has spaces. */
function readPlace({ kind, place }: Draft): NewMcpServer['address'] {
  if (kind === 'http') return { kind, url: place }
  const words = [...place.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const [command = '', ...args] = words
  return { kind, command, args }
}

/** The same in one line. */
export function writePlace(address: NonNullable<McpServer['address']>): string {
  if (address.kind === 'http') return address.url
  return [address.command, ...address.args].map((word) => (/\s|^$/.test(word) ? `"${word}"` : word)).join(' ')
}

/** One a line, `Name: value`. */
function readSecrets(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.search(/[:=]/)
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}
