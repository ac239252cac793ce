import { connect, isIP } from 'node:net'
import { type ConnectionOptions, checkServerIdentity, type PeerCertificate } from 'node:tls'
import type { Client, Entry } from 'ldapts'
import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type Claims, groupsOf, textOf } from '../sign-on/sign-on.ts'
import type { DirectorySettings } from './directory-settings.ts'
import { explainFailure, isMistrusted } from './explain-failure.ts'
import { ANY, fillFilter } from './fill-filter.ts'

/** An LDAP directory. */
export type Directory = {
  /** `ldap`, or the id of the stored provider. */
  id: string
  name: string
  /** Search base, which begins every subject. */
  base: string
  /** Returns the claims of the user with this name and password, or null. @throws AppError `directory_unavailable` */
  find(login: string, password: string): Promise<Claims | null>
  /**
   * Returns the subjects that the directory lists and has not disabled. Returns null when it lists no one at all, because
   * then nothing can be concluded. @throws AppError `directory_unavailable`
   */
  findListed(subjects: readonly string[]): Promise<Set<string> | null>
}

const timeoutMs = 5_000
const MAX_GROUPS = 1000
/** Users per search. */
const BATCH = 50

/** Creates a directory. Uses TLS only. Logs failures with their cause. */
export function createDirectory(
  config: DirectorySettings,
  { name = 'LDAP', log }: { name?: string; log?: Platform['log'] } = {},
): Directory {
  const { id, search_base: base } = config
  const failed = (error: unknown) => {
    log?.warn(`The directory could not be asked. ${explainFailure(error, config)}`)
    return describe(error, config)
  }
  return {
    ...{ id, name, base },
    async find(login, password) {
      // A bind without a password always succeeds (RFC 4513, 5.1.2).
      if (password === '') return null
      try {
        return await withClient(config, async (reader) => {
          const person = await findPerson(config, reader, login)
          if (!person || !(await mayBind(config, person.dn, password))) return null
          return toClaims(config, person, await findGroups(config, reader, person))
        })
      } catch (error) {
        throw failed(error)
      }
    },
    async findListed(subjects) {
      try {
        return await withClient(config, async (reader) => {
          await bindReader(config, reader)
          const anybody = fillFilter(config.user_filter, { login: ANY })
          const shown = await search(config, reader, anybody, 1)
          if (shown.length === 0) return null
          const listed = new Set<string>()
          for (let start = 0; start < subjects.length; start += BATCH) {
            const ids = subjects.slice(start, start + BATCH).map((subject) => subject.slice(base.length + 1))
            const filter = `(&${anybody}(|${ids.map((id) => filterFor(config, id)).join('')}))`
            for (const entry of await search(config, reader, filter, BATCH * 2))
              if (!isDisabled(entry)) listed.add(subjectOf(config, entry))
          }
          return listed
        })
      } catch (error) {
        throw failed(error)
      }
    },
  }
}

/** Returns at most `limit` entries. */
export async function search(
  config: DirectorySettings,
  reader: Client,
  filter: string,
  sizeLimit: number,
): Promise<Entry[]> {
  const { searchEntries } = await reader.search(config.search_base, {
    filter,
    // Operational attributes must be requested by name.
    attributes: ['*', config.id_attribute, config.groups_attribute, ...disabling],
    explicitBufferAttributes: [config.id_attribute],
    sizeLimit,
  })
  return searchEntries
}

/** Returns a filter for an entry id, which is text or hexadecimal bytes. */
function filterFor({ id_attribute: name }: DirectorySettings, id: string): string {
  const asText = fillFilter(`(${name}={id})`, { id })
  const isHex = /^(?:[0-9a-f]{2})+$/.test(id)
  return isHex ? `(|${asText}(${name}=${id.replace(/../g, String.raw`\$&`)}))` : asText
}

const disabling = ['userAccountControl', 'nsAccountLock', 'loginDisabled', 'pwdAccountLockedTime']
const ACCOUNT_DISABLED = 2
const LOCKED_FOR_EVER = '000001010000Z'

/** Returns whether an entry is disabled in Active Directory, 389 DS, eDirectory or OpenLDAP. */
function isDisabled(entry: Entry): boolean {
  const said = (name: string) => textOf([entry[name]].flat()[0]) ?? ''
  return (
    (Number(said('userAccountControl')) & ACCOUNT_DISABLED) !== 0 ||
    ['nsAccountLock', 'loginDisabled'].some((name) => said(name).toUpperCase() === 'TRUE') ||
    said('pwdAccountLockedTime') === LOCKED_FOR_EVER
  )
}

async function findPerson(config: DirectorySettings, reader: Client, login: string): Promise<Entry | null> {
  await bindReader(config, reader)
  const entries = await search(config, reader, fillFilter(config.user_filter, { login }), 2)
  // A name that matches two entries is ambiguous and refused.
  return entries.length === 1 && !isDisabled(entries[0]!) ? entries[0]! : null
}

/** Signs in as the account that searches; stays anonymous without one. */
export async function bindReader(config: DirectorySettings, client: Client): Promise<void> {
  if (config.bind_dn) await client.bind(config.bind_dn, config.password)
}

async function mayBind(config: DirectorySettings, dn: string, password: string): Promise<boolean> {
  const { InvalidCredentialsError } = await import('ldapts')
  try {
    await withClient(config, (client) => client.bind(dn, password))
    return true
  } catch (error) {
    if (error instanceof InvalidCredentialsError) return false
    throw error
  }
}

/** Returns the DNs of the user's groups: those listed in the entry, and those that list the user. */
export async function findGroups(
  config: DirectorySettings,
  reader: Client,
  person: Entry,
): Promise<string[]> {
  const listed = groupsOf(person[config.groups_attribute])
  if (!config.group_base) return listed
  const { searchEntries } = await reader.search(config.group_base, {
    filter: fillFilter(config.group_filter, { dn: person.dn }),
    attributes: ['cn'],
    sizeLimit: MAX_GROUPS,
  })
  return groupsOf([...listed, ...searchEntries.map(({ dn }) => dn)])
}

export function toClaims(config: DirectorySettings, person: Entry, groups: string[]): Claims {
  const first = (name: string) => textOf([person[name]].flat()[0])
  return {
    subject: subjectOf(config, person),
    email: first(config.email_attribute),
    emailVerified: config.trustsAddresses,
    isOfHouse: true,
    name: first(config.name_attribute) ?? first('cn'),
    locale: first('preferredLanguage'),
    groups,
  }
}

function subjectOf(config: DirectorySettings, person: Entry): string {
  const id = [person[config.id_attribute]].flat()[0]
  const subject = Buffer.isBuffer(id) ? (isText(id) ? id.toString() : id.toString('hex')) : id
  if (!subject) throw new Error(`It gives people no ${config.id_attribute}. Check ${config.names.id}.`)
  return `${config.search_base} ${subject}`
}

/** Active Directory stores ids as bytes, other servers as text. */
const isText = (bytes: Buffer) => /^[\x20-\x7e]+$/.test(bytes.toString('latin1'))

/** Opens a connection, secures it first, and closes it after `work`. `onCertificate` receives the trusted certificate. */
export async function withClient<T>(
  config: DirectorySettings,
  work: (client: Client) => Promise<T>,
  onCertificate?: (certificate: PeerCertificate) => void,
): Promise<T> {
  const { Client } = await import('ldapts')
  const url = new URL(config.url)
  const tls = await tlsOptions(config, url.hostname, onCertificate)
  let isUsed = false
  const client = new Client({
    ...{ url: config.url, timeout: timeoutMs, connectTimeout: timeoutMs },
    ...(url.protocol === 'ldaps:' && { tlsOptions: tls }),
    // No automatic reconnect: the new connection would be without TLS.
    createConnection: ((port: number, host: string) => {
      if (isUsed) throw new Error('The directory closed the connection.')
      isUsed = true
      return connect(port, host)
    }) as typeof connect,
  })
  try {
    if (url.protocol === 'ldap:') await client.startTLS(tls)
    return await work(client)
  } finally {
    await client.unbind().catch(() => undefined)
  }
}

async function tlsOptions(
  { readCa }: DirectorySettings,
  host: string,
  onCertificate?: (certificate: PeerCertificate) => void,
): Promise<ConnectionOptions> {
  const ca = await readCa()
  return {
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
    ...(onCertificate && {
      checkServerIdentity: (name: string, certificate: PeerCertificate) => {
        onCertificate(certificate)
        return checkServerIdentity(name, certificate)
      },
    }),
    rejectUnauthorized: true,
  }
}

function describe(error: unknown, { names }: DirectorySettings): AppError {
  const detail = isMistrusted(error)
    ? `The certificate of the directory is not trusted. Ask your administrator to check ${names.url} and ${names.ca}.`
    : 'The directory cannot be asked right now. Try again in a moment, or ask your administrator.'
  return new AppError('directory_unavailable', detail, { cause: error })
}
