import { AppError } from '#shared/platform/errors.ts'
import { trimEndSlashes } from '#shared/platform/trim-slashes.ts'
import { ItemRefused, type SourceContext } from '../../define-connector.ts'
import { giveTurns } from '../../give-turns.ts'
import { assertAnswered } from '../../source-requests.ts'
import { readPackets } from './packets.ts'

const MAX_REFS_BYTES = 20_000_000
const SECONDS = 60
const SERVICE = 'git-upload-pack'

/** A repository at a server. `branch` is empty for the default one. */
export type Remote = {
  context: SourceContext
  url: string
  host: string
  branch: string
  headers: Record<string, string>
}

/** The head of a branch. `address` is that of the repository after redirects. */
export type Head = { address: string; branch: string; commit: string; abilities: ReadonlySet<string> }

/** @throws AppError `invalid` */
export function remoteOf(context: SourceContext): Remote {
  const { address = '', branch = '', username = '', token = '' } = context.settings
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new AppError('invalid', 'The address of the repository must begin with https:// or http://.')
  const url = new URL(address)
  url.search = url.hash = ''
  const sign = Buffer.from(`${username || 'git'}:${token}`).toString('base64')
  return {
    ...{ context, url: trimEndSlashes(url.href), host: url.host, branch: branch.trim() },
    headers: token ? { authorization: `Basic ${sign}` } : {},
  }
}

/**
 * Asks for the branches (the first version of the protocol, which all servers speak), and returns the head of the wanted one.
 * @throws SignedOut, SourceBusy, AppError `unavailable`, AppError `not_available` for an address or branch to correct
 */
export async function discover(remote: Remote): Promise<Head> {
  const { context, url, host, headers } = remote
  const answer = await context.outbound.fetch(`${url}/info/refs?service=${SERVICE}`, {
    ...{ headers, maxBytes: MAX_REFS_BYTES, seconds: SECONDS, maxRedirects: 3 },
    ...{ trusted: context.config.ATRIUM_TOOLS_PRIVATE, signal: context.signal },
  })
  assertRepository(host, answer)
  if (new URL(answer.url).origin !== new URL(url).origin)
    throw new AppError('not_available', `${host} refers to ${new URL(answer.url).host}. Enter that address.`)
  if (!answer.headers.get('content-type')?.startsWith(`application/x-${SERVICE}-advertisement`))
    throw new AppError('not_available', `${host} does not answer as a Git server at this address.`)
  const end = answer.url.lastIndexOf('/info/refs?')
  const address = end < 0 ? answer.url : answer.url.slice(0, end)
  return { address, ...(await readHead(remote, answer.bytes)) }
}

/** Reports a refusal of the whole repository, which must not look like a missing item. */
export function assertRepository(host: string, answer: { status: number; headers: Headers }): void {
  const isLimit = answer.status === 403 && answer.headers.has('retry-after')
  try {
    assertAnswered(host, isLimit ? { status: 429, headers: answer.headers } : answer)
  } catch (error) {
    if (!(error instanceof ItemRefused)) throw error
    throw new AppError(
      'not_available',
      error.reason === 'not_found'
        ? `${host} has no such repository, or the token may not read it.`
        : `${host} refuses the repository (${answer.status}).`,
    )
  }
}

async function readHead({ host, branch: wanted }: Remote, bytes: Uint8Array): Promise<Omit<Head, 'address'>> {
  const refs = new Map<string, string>()
  let abilities: string[] = []
  const turn = giveTurns()
  for await (const packet of readPackets([Buffer.from(bytes)])) {
    await turn()
    const [line = '', listed] = (packet?.toString() ?? '').replace(/\n$/, '').split('\0')
    if (listed !== undefined) abilities = listed.split(' ')
    const [, oid, name] = /^([0-9a-f]{40,64}) (\S+)$/.exec(line) ?? []
    if (oid !== undefined && name !== undefined) refs.set(name, oid)
  }
  if (abilities.includes('object-format=sha256'))
    throw new AppError('not_available', 'Repositories with SHA-256 object names cannot be read.')
  if (!abilities.includes('shallow') || !abilities.includes('side-band-64k'))
    throw new AppError('not_available', `${host} cannot send the newest state of a branch alone.`)
  const branch = wanted || defaultBranch(refs, abilities)
  const commit = refs.get(`refs/heads/${branch}`)
  if (commit === undefined && wanted)
    throw new AppError('not_available', `The repository has no branch “${wanted}”.`)
  if (commit === undefined) throw new AppError('not_available', 'The repository has no default branch.')
  return { branch, commit, abilities: new Set(abilities) }
}

function defaultBranch(refs: ReadonlyMap<string, string>, abilities: readonly string[]): string {
  const start = 'symref=HEAD:refs/heads/'
  const named = abilities.find((one) => one.startsWith(start))?.slice(start.length)
  if (named) return named
  const head = refs.get('HEAD')
  const same = [...refs].filter(([name, oid]) => oid === head && name.startsWith('refs/heads/'))
  return same[0]?.[0].slice('refs/heads/'.length) ?? ''
}
