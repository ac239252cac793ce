import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, parseConfig } from './config.ts'
import { declaredNames } from './declared-settings.ts'

const url = (protocol: string) => `must be an address that starts with ${protocol}`
const http = url('http:// or https://')
const choice = (...options: string[]) => `expected one of ${options.map((option) => `"${option}"`).join('|')}`

/** An invalid value for each setting that can have one, with the expected message. */
const wrong: [name: string, value: string, says: string][] = [
  ['PORT', 'abc', 'expected number'],
  ['PORT', '65536', '65535'],
  ['PORT', '-1', '>=0'],
  ['PORT', '80.5', 'expected int'],
  ['ATRIUM_PUBLIC_URL', 'atrium.example.com', http],
  ['ATRIUM_PUBLIC_URL', 'localhost:3000', http],
  ['ATRIUM_PUBLIC_URL', 'ftp://example.com', http],
  ['ATRIUM_ALLOWED_HOSTS', 'a.example, https://b.example', 'must be names such as'],
  ['ATRIUM_TRUST_PROXY', 'proxy.example', 'must be addresses or networks'],
  ['ATRIUM_TRUST_PROXY', '10.0.0.0/33', 'must be addresses or networks'],
  ...['dns.example', '10.0.0.53:0', '10.0.0.53:99999', '2001:db8::53', '[10.0.0.53]'].map(
    (value): [string, string, string] => ['ATRIUM_DNS_SERVERS', value, 'must be addresses such as'],
  ),
  ['ATRIUM_SECRET_KEY', 'short', 'must have at least 16 characters'],
  ['ATRIUM_ROLE', 'web,master,king', choice('web', 'worker')],
  ['ATRIUM_LOG_LEVEL', 'loud', choice('fatal', 'error')],
  ['DATABASE_URL', 'mysql://localhost/atrium', 'must start with postgres://'],
  ['DATABASE_URL', 'localhost', 'must start with postgres://'],
  ['REDIS_URL', 'http://localhost', 'must start with redis://'],
  ['S3_ENDPOINT', 'minio:9000', http],
  ['SMTP_URL', 'mail.example.com', 'must start with smtp://'],
  ['MAIL_FROM', 'Atrium', 'must have a mail address'],
  ['ATRIUM_EMAIL_VERIFICATION', 'yes', choice('required', 'off')],
  ['ATRIUM_BETA', 'true', choice('on', 'off')],
  ['ATRIUM_BILLING', '1', choice('on', 'off')],
  ['ATRIUM_STARTING_BALANCE', '-5', '>=0'],
  ['ATRIUM_STARTING_BALANCE', 'Infinity', 'expected number'],
  ['GOOGLE_ISSUER', 'accounts.google.com', http],
  ['OPENAI_BASE_URL', 'api', http],
  ['ANTHROPIC_BASE_URL', 'api', http],
  ['GOOGLE_BASE_URL', 'api', http],
  ['ATRIUM_COMPATIBLE_URL', 'ollama:11434', http],
  ['GOOGLE_DRIVE_URL', 'www.googleapis.com', http],
  ['MICROSOFT_FILES_SCOPES', 'Files.Read  Sites.Read', 'must be words'],
  ['ATRIUM_LOCAL_MODEL_PORTS', 'ollama', 'must be off, or at most 16 ports'],
  ['ATRIUM_LOCAL_MODEL_PORTS', '11434,70000', 'must be off, or at most 16 ports'],
  ['ATRIUM_COMPATIBLE_NAME', 'My Ollama', 'lower-case letters'],
]

const settings = ['config.ts', '../limits.ts']
  .flatMap((file) =>
    [...readFileSync(new URL(file, import.meta.url), 'utf8').matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(
      ([, name = '']) => name,
    ),
  )
  .concat(declaredNames)

describe('invalid setting', () => {
  it.each(wrong)('reports %s=%s in one line', (name, value, says) => {
    const { message } = refusalOf({ [name]: value })
    expect(message.split('\n')).toHaveLength(1)
    expect(message.startsWith(`${name} is wrong: `)).toBe(true)
    expect(message).toContain(says)
    const mayHoldSecret = /KEY|SECRET|URL/.test(name)
    expect(message.includes(`(it is "${value}")`)).toBe(!mayHoldSecret)
  })

  it.each(settings)('accepts nonsense for %s or rejects it in one line', (name) => {
    const nonsense = '~ non/sense: ~'
    try {
      const config = parseConfig({ [name]: nonsense })
      expect({ ...config, ...config.declared }).toMatchObject({ [name]: nonsense })
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      expect(error.message.split('\n')).toHaveLength(1)
      expect(error.message).toMatch(new RegExp(`^${name} is wrong: |^${name} also needs .+\\.$`))
    }
  })

  it('is documented for every setting', () => {
    const operations = readFileSync(new URL('../../../../docs/OPERATIONS.md', import.meta.url), 'utf8')
    expect(settings.length).toBeGreaterThan(30)
    expect(settings.filter((name) => !operations.includes(`\`${name}\``))).toEqual([])
  })

  it('reports all invalid settings together, one per line', () => {
    const lines = refusalOf({ PORT: 'x', ATRIUM_BETA: 'x', ATRIUM_ROLE: 'x,y' }).message.split('\n')
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['PORT', 'ATRIUM_ROLE', 'ATRIUM_BETA'])
  })

  it.each([
    ['S3_ENDPOINT', 'http://localhost', 'S3_BUCKET'],
    ['S3_ACCESS_KEY_ID', 'id', 'S3_SECRET_ACCESS_KEY'],
    ['S3_SECRET_ACCESS_KEY', 'secret', 'S3_ACCESS_KEY_ID'],
    ['GOOGLE_CLIENT_ID', 'id', 'GOOGLE_CLIENT_SECRET'],
    ['GOOGLE_CLIENT_SECRET', 'secret', 'GOOGLE_CLIENT_ID'],
    ['GOOGLE_DRIVE_CLIENT_ID', 'id', 'GOOGLE_DRIVE_CLIENT_SECRET'],
    ['MICROSOFT_FILES_CLIENT_SECRET', 'secret', 'MICROSOFT_FILES_CLIENT_ID'],
    ['ATRIUM_ROLE', 'web', 'DATABASE_URL'],
    ['ATRIUM_ROLE', 'worker', 'DATABASE_URL'],
  ])('requires the counterpart of %s', (name, value, other) => {
    expect(refusalOf({ [name]: value }).message).toBe(`${name} also needs ${other}.`)
  })
})

describe('settings', () => {
  it('treats every empty value as unset', () => {
    const nothing = parseConfig({})
    for (const blank of ['', ' ', '\t\r\n']) {
      expect(parseConfig(Object.fromEntries(settings.map((name) => [name, blank])))).toEqual(nothing)
    }
  })

  it('trims white space around values, as in files from other systems', () => {
    const config = parseConfig({ HOST: ' 0.0.0.0 ', ATRIUM_LOG_LEVEL: 'warn\r', PORT: '8080\r' })
    expect(config).toMatchObject({ HOST: '0.0.0.0', ATRIUM_LOG_LEVEL: 'warn', PORT: 8080 })
  })

  it('ignores unknown settings', () => {
    expect(parseConfig({ PATH: '/bin', ATRIUM_TYPO: 'x' })).toEqual(parseConfig({}))
  })

  it('parses valid values', () => {
    const config = parseConfig({
      HOST: '::1',
      ATRIUM_DATA_DIR: 'somewhere',
      ATRIUM_PUBLIC_URL: 'https://atrium.example.com//',
      ATRIUM_ROLE: ' worker , web',
      SMTP_URL: 'smtp://mail.example.com',
    })
    expect(config).toMatchObject({
      dataDir: resolve('somewhere'),
      publicUrl: 'https://atrium.example.com',
      ATRIUM_ROLE: ['worker', 'web'],
    })
    expect(parseConfig({ ATRIUM_ALLOWED_HOSTS: 'A.example ,, b' }).ATRIUM_ALLOWED_HOSTS).toEqual([
      'a.example',
      'b',
    ])
  })

  it.each([
    [true, {}],
    [true, { HOST: '::1' }],
    [true, { HOST: 'localhost', ATRIUM_PUBLIC_URL: 'http://[::1]:8080' }],
    [false, { HOST: '0.0.0.0' }],
    [false, { HOST: '0.0.0.0', ATRIUM_PUBLIC_URL: 'http://localhost:3000' }],
    [false, { ATRIUM_PUBLIC_URL: 'https://atrium.example.com' }],
  ])('reports %s as loopback only: %o', (expected, environment) => {
    expect(parseConfig(environment).isLoopback).toBe(expected)
  })
})

function refusalOf(environment: Record<string, string>): ConfigError {
  try {
    parseConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
  throw new Error('the settings were accepted')
}
