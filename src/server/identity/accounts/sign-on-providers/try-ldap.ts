import type { PeerCertificate } from 'node:tls'
import type { Client, Entry } from 'ldapts'
import type { LdapSettings, TestResult, TestStep } from '#shared/identity/accounts/sign-on-providers.ts'
import { bindReader, findGroups, search, toClaims, withClient } from '../directory/directory.ts'
import { type DirectorySettings, storedDirectory } from '../directory/directory-settings.ts'
import { classifyFailure, explainFailure } from '../directory/explain-failure.ts'
import { ANY, fillFilter } from '../directory/fill-filter.ts'
import { failed, result, skipped } from './describe-trouble.ts'

const steps = ['connection', 'bind', 'search', 'person', 'groups'] as const satisfies TestStep[]
const MAX_NAMED = 20

/** Tries a directory: connection and certificate, the account that searches, a search, and what one person's entry gives. */
export async function tryLdap(
  settings: LdapSettings,
  more: { id: string; password: string; trustsAddresses: boolean },
): Promise<TestResult[]> {
  const directory = storedDirectory(settings, more)
  const results: TestResult[] = []
  const seen: { certificate?: PeerCertificate } = {}
  try {
    await withClient(
      directory,
      async (client) => {
        // The first request opens the connection. An anonymous bind asks for no rights.
        const failure = await tryBind(directory, client)
        if (failure && !isOfAccount(failure)) throw failure
        results.push(describeConnection(settings, seen.certificate))
        if (failure) throw failure
        results.push(result('bind', 'passed', [['account', settings.bind_dn || 'anonymous']]))
        const [sample] = await search(directory, client, fillFilter(settings.user_filter, { login: ANY }), 1)
        if (!sample) return results.push(result('search', 'failed', [], { problem: 'nobody' }))
        results.push(result('search', 'passed', [['people', sample.dn]]))
        results.push(describePerson(directory, sample))
        results.push(await describeGroups(directory, client, sample))
      },
      (certificate) => {
        seen.certificate = certificate
      },
    )
  } catch (error) {
    results.push(describeFailure(directory, error, steps[results.length] ?? 'groups', more.password))
  }
  return [...results, ...skipped(...steps.slice(results.length))]
}

async function tryBind(directory: DirectorySettings, client: Client): Promise<unknown> {
  try {
    if (directory.bind_dn) await bindReader(directory, client)
    else await client.bind('', '')
    return null
  } catch (error) {
    return error
  }
}

const isOfAccount = (error: unknown) => ['bind_refused', 'not_allowed'].includes(classifyFailure(error))

function describeConnection({ url }: LdapSettings, certificate?: PeerCertificate): TestResult {
  const names = certificate?.subject?.CN
  return result('connection', 'passed', [
    ['address', url],
    ['certificate', Array.isArray(names) ? names.join(', ') : names],
    ['fingerprint', certificate?.fingerprint256],
    ['valid_until', certificate && new Date(certificate.valid_to).toISOString()],
  ])
}

function describePerson(directory: DirectorySettings, entry: Entry): TestResult {
  try {
    const { subject, email, name } = toClaims(directory, entry, [])
    const facts = [
      ['id', subject.slice(directory.search_base.length + 1)],
      ['email', email],
      ['full_name', name],
    ] as const
    return email
      ? result('person', 'passed', facts)
      : result('person', 'warning', facts, { problem: 'no_email' })
  } catch (error) {
    return failed('person', error, { problem: 'no_id' })
  }
}

async function describeGroups(
  directory: DirectorySettings,
  client: Client,
  entry: Entry,
): Promise<TestResult> {
  const groups = await findGroups(directory, client, entry)
  if (groups.length === 0) return result('groups', 'warning', [], { problem: 'no_groups' })
  return result('groups', 'passed', [['groups', groups.slice(0, MAX_NAMED).join('; ')]])
}

function describeFailure(
  directory: DirectorySettings,
  error: unknown,
  step: TestStep,
  password: string,
): TestResult {
  const found = classifyFailure(error)
  const problem = found === 'no_file' ? 'other' : found
  return failed(step, new Error(explainFailure(error, directory)), { problem, secret: password })
}
