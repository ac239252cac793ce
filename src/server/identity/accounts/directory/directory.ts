import { readFile } from 'node:fs/promises'
import { connect, isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type { Client, Entry } from 'ldapts'
import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type Claims, groupsOf, textOf } from '../sign-on/sign-on.ts'
import { explainFailure, isMistrusted } from './explain-failure.ts'
import { ANY, fillFilter } from './fill-filter.ts'

type Config = Platform['config']

/** The company's LDAP directory. */
export type Directory = {
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

/** Creates the configured directory, or returns null. Uses TLS only. Logs failures with their cause. */
export function createDirectory(config: Config, log?: Platform['log']): Directory | null {
  const { LDAP_URL: at, LDAP_SEARCH_BASE: base } = config
  if (!at || !base) return null
  const failed = (error: unknown) => {
    log?.warn(`The directory could not be asked. ${explainFailure(error, at)}`)
    return describe(error)
  }
  return {
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
          const anybody = fillFilter(config.LDAP_USER_FILTER, { login: ANY })
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
async function search(config: Config, reader: Client, filter: string, sizeLimit: number): Promise<Entry[]> {
  const { searchEntries } = await reader.search(config.LDAP_SEARCH_BASE!, {
    filter,
    // Operational attributes must be requested by name.
    attributes: ['*', config.LDAP_ID_ATTRIBUTE, config.LDAP_GROUPS_ATTRIBUTE, ...disabling],
    explicitBufferAttributes: [config.LDAP_ID_ATTRIBUTE],
    sizeLimit,
  })
  return searchEntries
}

/** Returns a filter for an entry id, which is text or hexadecimal bytes. */
function filterFor({ LDAP_ID_ATTRIBUTE: name }: Config, id: string): string {
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

async function findPerson(config: Config, reader: Client, login: string): Promise<Entry | null> {
  await bindReader(config, reader)
  const entries = await search(config, reader, fillFilter(config.LDAP_USER_FILTER, { login }), 2)
  // A name that matches two entries is ambiguous and refused.
  return entries.length === 1 && !isDisabled(entries[0]!) ? entries[0]! : null
}

async function bindReader(config: Config, client: Client): Promise<void> {
  if (config.LDAP_BIND_DN) await client.bind(config.LDAP_BIND_DN, config.LDAP_BIND_PASSWORD ?? '')
}

async function mayBind(config: Config, dn: string, password: string): Promise<boolean> {
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
async function findGroups(config: Config, reader: Client, person: Entry): Promise<string[]> {
  const listed = groupsOf(person[config.LDAP_GROUPS_ATTRIBUTE])
  if (!config.LDAP_GROUP_BASE) return listed
  const { searchEntries } = await reader.search(config.LDAP_GROUP_BASE, {
    filter: fillFilter(config.LDAP_GROUP_FILTER, { dn: person.dn }),
    attributes: ['cn'],
    sizeLimit: MAX_GROUPS,
  })
  return groupsOf([...listed, ...searchEntries.map(({ dn }) => dn)])
}

function toClaims(config: Config, person: Entry, groups: string[]): Claims {
  const first = (name: string) => textOf([person[name]].flat()[0])
  return {
    subject: subjectOf(config, person),
    email: first(config.LDAP_EMAIL_ATTRIBUTE),
    emailVerified: config.ATRIUM_SIGN_ON_TRUSTED.includes('ldap'),
    isOfHouse: true,
    name: first(config.LDAP_NAME_ATTRIBUTE) ?? first('cn'),
    locale: first('preferredLanguage'),
    groups,
  }
}

function subjectOf(config: Config, person: Entry): string {
  const id = [person[config.LDAP_ID_ATTRIBUTE]].flat()[0]
  const subject = Buffer.isBuffer(id) ? (isText(id) ? id.toString() : id.toString('hex')) : id
  if (!subject) throw new Error(`It gives people no ${config.LDAP_ID_ATTRIBUTE}. Check LDAP_ID_ATTRIBUTE.`)
  return `${config.LDAP_SEARCH_BASE} ${subject}`
}

/** Active Directory stores ids as bytes, other servers as text. */
const isText = (bytes: Buffer) => /^[\x20-\x7e]+$/.test(bytes.toString('latin1'))

/** Opens a connection, secures it first, and closes it after `work`. */
async function withClient<T>(config: Config, work: (client: Client) => Promise<T>): Promise<T> {
  const { Client } = await import('ldapts')
  const url = new URL(config.LDAP_URL!)
  const tls = await tlsOptions(config, url.hostname)
  let isUsed = false
  const client = new Client({
    ...{ url: config.LDAP_URL!, timeout: timeoutMs, connectTimeout: timeoutMs },
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

async function tlsOptions({ LDAP_CA: ca }: Config, host: string): Promise<ConnectionOptions> {
  return {
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca: await readFile(ca, 'utf8') }),
    rejectUnauthorized: true,
  }
}

function describe(error: unknown): AppError {
  const detail = isMistrusted(error)
    ? 'The certificate of the directory is not trusted. Ask your administrator to check LDAP_URL and LDAP_CA.'
    : 'The directory cannot be asked right now. Try again in a moment, or ask your administrator.'
  return new AppError('directory_unavailable', detail, { cause: error })
}
