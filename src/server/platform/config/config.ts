import { isIP } from 'node:net'
import { isAbsolute, join, resolve } from 'node:path'
import * as z from 'zod'
import { explainDataFolder, makeDataFolder } from '../data-folder.ts'
import { limitSettings } from '../limits.ts'
import { accountSettings } from './account-settings.ts'
import { checkDeclared, declaredNames, declaredNeeds } from './declared-settings.ts'
import { isLoopbackName, nameOf } from './host-names.ts'
import { signOnSettings } from './sign-on-settings.ts'
import { telemetrySettings } from './telemetry-settings.ts'

const flag = z.enum(['on', 'off'])
const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
const url = z.url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' })

/** Comma-separated values, in lower case. */
const list = (is: (value: string) => boolean, error: string) =>
  z
    .string()
    .default('')
    .transform((text) => text.split(',').map((value) => value.trim().toLowerCase()))
    .transform((values) => values.filter((value) => value !== ''))
    .refine((values) => values.every(is), error)
const isHostName = (value: string) => /^[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?$/.test(value)

const isWebAddress = (value: string) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)

const OPEN_METEO = 'https://api.open-meteo.com'
const OPEN_METEO_PLACES = 'https://geocoding-api.open-meteo.com'

/** Loopback ports to probe for a model server; `off` disables the probe. */
const localPorts = z
  .string()
  .default('11434,1234,8080,8000')
  .transform((text) => (text === 'off' ? [] : text.split(',').map(Number)))
  .refine(
    (ports) =>
      ports.every((port) => Number.isInteger(port) && port > 0 && port < 65_536) && ports.length <= 16,
    'must be off, or at most 16 ports separated by commas',
  )

/** All settings of the product except those that the folders of sources declare, as environment variables. Listed in docs/OPERATIONS.md. */
const Environment = z.object({
  PORT: integer(0, 65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  ATRIUM_DATA_DIR: z.string().min(1).default('./data'),
  ATRIUM_MODELS_DIR: z.string().min(1).optional(),
  ATRIUM_PUBLIC_URL: url.optional(),
  ATRIUM_ALLOWED_HOSTS: list(isHostName, 'must be names such as atrium.example.com, separated by commas'),
  ATRIUM_TRUST_PROXY: list(
    isNetwork,
    'must be addresses or networks such as 10.0.0.5 or 10.0.0.0/8, separated by commas',
  ),
  ATRIUM_CONNECTOR_FOLDERS: z
    .string()
    .default('')
    .transform((text) => text.split(',').map((folder) => folder.trim()))
    .transform((folders) => folders.filter((folder) => folder !== ''))
    .refine((folders) => folders.every(isAbsolute), 'must be absolute folders, separated by commas'),
  ATRIUM_SECRET_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
  ATRIUM_ROLE: z
    .string()
    .default('web,worker')
    .transform((roles) => roles.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(['web', 'worker'])).min(1)),
  ATRIUM_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must start with postgres://' }).optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must start with redis:// or rediss://' }).optional(),
  S3_ENDPOINT: url.optional(),
  S3_BUCKET: z.string().min(1).optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  ATRIUM_VECTORS_URL: z
    .string()
    .regex(/^(?:s3:\/\/[^/]+|\/)/, 'must be a folder such as /var/lib/atrium/vectors, or s3://bucket/path')
    .optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must start with smtp:// or smtps://' }).optional(),
  MAIL_FROM: z.string().regex(/@/, 'must have a mail address').default('Atrium <atrium@localhost>'),
  IMAP_URL: z
    .url({ protocol: /^imaps?$/, error: 'must start with imap:// or imaps://' })
    .refine((value) => URL.parse(value)?.username !== '', 'must have a user name and a password')
    .optional(),
  MAILBOX_ADDRESS: z
    .string()
    .toLowerCase()
    .regex(/^[^\s@+<>,;:"]+@[a-z0-9.-]+$/, 'must be an address such as atrium@example.com, without “+”')
    .optional(),
  MAIL_TRUSTED_AUTHSERV: z
    .string()
    .toLowerCase()
    .regex(/^[^\s;]+$/, 'must be one name')
    .optional(),
  ATRIUM_EMAIL_VERIFICATION: z.enum(['required', 'off']).optional(),
  ATRIUM_SIGN_UP_COMPANY: z.enum(['own', 'first']).optional(),
  ATRIUM_SIGN_UP: z.enum(['open', 'invitation', 'domain', 'closed']).optional(),
  ATRIUM_SIGN_UP_DOMAINS: list(isHostName, 'must be domains such as example.com, separated by commas'),
  ATRIUM_DNS_SERVERS: list(
    isDnsServer,
    'must be addresses such as 10.0.0.53, [2001:db8::53] or 10.0.0.53:5353, separated by commas',
  ),
  ATRIUM_OUTWARD_CALLS: z.enum(['strict', 'ask', 'off']).optional(),
  ATRIUM_BETA: flag.default('off'),
  ATRIUM_TITLES: z.enum(['model', 'message']).default('model'),
  ATRIUM_BILLING: flag.default('off'),
  ATRIUM_STARTING_BALANCE: z.coerce.number().min(0).default(5),
  GOOGLE_SHEETS_URL: url.default('https://sheets.googleapis.com'),
  OPENAI_API_KEY: z.string().min(1).optional(),
  OPENAI_BASE_URL: url.optional(),
  ANTHROPIC_API_KEY: z.string().min(1).optional(),
  ANTHROPIC_BASE_URL: url.optional(),
  GOOGLE_API_KEY: z.string().min(1).optional(),
  GOOGLE_BASE_URL: url.optional(),
  ATRIUM_TRANSCRIPTION_MODEL: z
    .string()
    .regex(/^[^/]+\/.+/, 'must be a provider and a model, such as openai/whisper-1')
    .optional(),
  ATRIUM_IMAGE_MODEL: z
    .string()
    .regex(/^[^/]+\/.+/, 'must be a provider and a model, such as openai/gpt-image-1')
    .optional(),
  ATRIUM_EMBEDDING_MODEL: z
    .string()
    .regex(/^[^/]+\/.+/, 'must be a provider and a model, such as openai/text-embedding-3-small')
    .default('atrium/gte-small'),
  ATRIUM_TRANSLATE_QUESTIONS: z.enum(['model', 'off']).default('model'),
  ATRIUM_CITATION_MODEL: z
    .string()
    .regex(/^(?:reply|[^/]+\/.+)$/, 'must be reply, or a provider and a model, such as openai/gpt-5-nano')
    .optional(),
  SEARXNG_URL: url.optional(),
  BRAVE_API_KEY: z.string().min(1).optional(),
  BRAVE_URL: url.default('https://api.search.brave.com'),
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_WEBHOOK_SECRET: z.string().min(1).optional(),
  STRIPE_URL: url.default('https://api.stripe.com'),
  TAVILY_API_KEY: z.string().min(1).optional(),
  TAVILY_URL: url.default('https://api.tavily.com'),
  WIKIPEDIA_URL: z
    .string()
    .refine(
      (value) => isWebAddress(value.replace('{language}', 'en')),
      'must be an address, with {language} where that stands',
    )
    .default('https://{language}.wikipedia.org'),
  ATRIUM_WEB_PRIVATE: list(
    isWebAddress,
    'must be addresses such as https://wiki.example.internal, separated by commas',
  ),
  ATRIUM_TOOLS_PRIVATE: list(
    isWebAddress,
    'must be addresses such as https://erp.example.internal, separated by commas',
  ),
  ATRIUM_DATABASE_HOSTS: list(
    (value) => /^(\[[0-9a-f:]+\]|[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?)(:\d{1,5})?$/.test(value),
    'must be hosts such as erp-db.example.internal or 10.0.0.5:5432, separated by commas',
  ),
  ATRIUM_SQLITE_FOLDER: z.string().min(1).optional(),
  ATRIUM_MCP_SERVERS: z.enum(['everybody', 'admins', 'super_admins']).default('everybody'),
  COMPANY_REGISTER_URL: url.default('https://recherche-entreprises.api.gouv.fr'),
  COMPANY_INTERNAL_URL: url.optional(),
  CRM_URL: url.optional(),
  CRM_KEY: z.string().min(1).optional(),
  OPEN_METEO_URL: url.default(OPEN_METEO),
  OPEN_METEO_GEOCODING_URL: url.optional(),
  ATRIUM_COMPATIBLE_URL: url.optional(),
  ATRIUM_COMPATIBLE_KEY: z.string().min(1).optional(),
  ATRIUM_COMPATIBLE_NAME: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*$/, 'may have lower-case letters, digits and dashes')
    .default('compatible'),
  ATRIUM_COMPATIBLE_MODELS: z
    .string()
    .default('')
    .transform((ids) => ids.split(',').map((id) => id.trim()))
    .transform((ids) => ids.filter((id) => id !== ''))
    .refine((ids) => ids.every((id) => !/\s/.test(id)), 'must be ids of models, separated by commas'),
  ATRIUM_LOCAL_MODEL_PORTS: localPorts,
  ATRIUM_MODEL_HUB: url.default('https://huggingface.co'),
  ...signOnSettings,
  ...accountSettings,
  ...limitSettings,
  ...telemetrySettings,
})

/** Pairs of settings: the first requires the second. */
const needs = [
  ['S3_ENDPOINT', 'S3_BUCKET'],
  ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['S3_SECRET_ACCESS_KEY', 'S3_ACCESS_KEY_ID'],
  ['IMAP_URL', 'MAILBOX_ADDRESS'],
  ['MAILBOX_ADDRESS', 'IMAP_URL'],
  ['MAIL_TRUSTED_AUTHSERV', 'IMAP_URL'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['GOOGLE_CLIENT_SECRET', 'GOOGLE_CLIENT_ID'],
  ['GOOGLE_MAIL_CLIENT_ID', 'GOOGLE_MAIL_CLIENT_SECRET'],
  ['GOOGLE_MAIL_CLIENT_SECRET', 'GOOGLE_MAIL_CLIENT_ID'],
  ['MICROSOFT_MAIL_CLIENT_ID', 'MICROSOFT_MAIL_CLIENT_SECRET'],
  ['MICROSOFT_MAIL_CLIENT_SECRET', 'MICROSOFT_MAIL_CLIENT_ID'],
  ['JIRA_CLIENT_ID', 'JIRA_CLIENT_SECRET'],
  ['JIRA_CLIENT_SECRET', 'JIRA_CLIENT_ID'],
  ['LDAP_URL', 'LDAP_SEARCH_BASE'],
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY'],
] as const

export type Config = z.infer<typeof Environment> & {
  /** Given values of declared settings. Their declaration reads them. */
  declared: Readonly<Record<string, string>>
  /** Geocoding server. A self-hosted installation may use the same one for forecasts. */
  OPEN_METEO_GEOCODING_URL: string
  dataDir: string
  /** Cache folder for models built at first use. It can be deleted safely. */
  modelsDir: string
  /** Public URL without a trailing slash; null until it is known. */
  publicUrl: string | null
  /** Roles of this process: serving the web, executing runs and jobs, or both. */
  servesWeb: boolean
  works: boolean
  /** Whether the server is meant to be reached from this machine only. */
  isLoopback: boolean
}

/** Invalid settings. The message has one line per invalid value. */
export class ConfigError extends Error {}

/**
 * Parses the settings of an environment. Empty values count as unset; white space around a value is trimmed.
 * @throws ConfigError with one line per invalid value
 */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const trimmed = Object.entries(environment).map(([name, value]) => [name, value?.trim()] as const)
  const given = Object.fromEntries(trimmed.filter(([, value]) => value))
  const parsed = Environment.safeParse(given)
  const issues = [...(parsed.error?.issues ?? []), ...checkDeclared(given)]
  if (!parsed.success || issues.length > 0) {
    const lines = issues.map((issue) => describeIssue(issue, given))
    throw new ConfigError([...new Set(lines)].join('\n'))
  }
  const values = parsed.data
  for (const [name, other] of [...needs, ...declaredNeeds]) {
    if (given[name] && !given[other]) throw new ConfigError(`${name} also needs ${other}.`)
  }
  const { ATRIUM_ROLE: roles, DATABASE_URL } = values
  if (values.ATRIUM_SIGN_UP === 'domain' && values.ATRIUM_SIGN_UP_DOMAINS.length === 0) {
    throw new ConfigError('ATRIUM_SIGN_UP=domain also needs ATRIUM_SIGN_UP_DOMAINS.')
  }
  // Web and worker processes must share a database.
  if (new Set(roles).size === 1 && !DATABASE_URL) {
    throw new ConfigError('ATRIUM_ROLE also needs DATABASE_URL.')
  }
  return {
    ...values,
    declared: Object.fromEntries(declaredNames.flatMap((name) => (given[name] ? [[name, given[name]]] : []))),
    OPEN_METEO_GEOCODING_URL:
      values.OPEN_METEO_GEOCODING_URL ??
      (values.OPEN_METEO_URL === OPEN_METEO ? OPEN_METEO_PLACES : values.OPEN_METEO_URL),
    dataDir: resolve(values.ATRIUM_DATA_DIR),
    modelsDir: resolve(values.ATRIUM_MODELS_DIR ?? join(values.ATRIUM_DATA_DIR, 'models')),
    publicUrl: values.ATRIUM_PUBLIC_URL?.replace(/(?<!\/)\/+$/, '') ?? null,
    servesWeb: roles.includes('web'),
    works: roles.includes('worker'),
    isLoopback:
      isLoopbackName(values.HOST) && isLoopbackName(nameOf(values.ATRIUM_PUBLIC_URL ?? '') ?? 'localhost'),
  }
}

/** Returns whether a text is an IP address or a network in CIDR notation. */
function isNetwork(value: string): boolean {
  const [address = '', prefix = '0', ...more] = value.split('/')
  const bits = isIP(address) === 4 ? 32 : 128
  return isIP(address) !== 0 && more.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits
}

/** Returns whether a text is an IP address with an optional port. IPv6 with a port needs brackets. */
function isDnsServer(value: string): boolean {
  const [, six, four, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(value) ?? []
  return isIP(six ?? four ?? '') === (six ? 6 : 4) && Number(port) > 0 && Number(port) < 65_536
}

/** Creates the data folder if it is missing. @throws ConfigError if it cannot be used */
export function openDataFolder({ dataDir }: Config): void {
  try {
    makeDataFolder(dataDir)
  } catch (error) {
    throw new ConfigError(explainDataFolder(dataDir, error))
  }
}

function describeIssue(issue: z.core.$ZodIssue, given: Record<string, unknown>): string {
  const name = String(issue.path[0])
  const isSecret = /KEY|SECRET|URL|PASSWORD|TOKEN|OTLP/.test(name)
  const shown = isSecret ? '' : ` (it is "${String(given[name])}")`
  return `${name} is wrong: ${issue.message}${shown}.`
}
