import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { TicketDraft } from '#shared/tools/actions/action-port.ts'
import { UnknownOutcome } from '../../../../runs/runs/runs.ts'
import { NotDone, type Once } from '../provider-port.ts'
import type { SignedContext, SignInService } from '../signed-account.ts'
import { createJson, readAs } from '../signed-json.ts'

const SCOPES = 'offline_access read:jira-user read:jira-work write:jira-work'
/** Property of an issue that names the call which created it. */
const PROPERTY = 'atrium.call'

const Sites = z.array(z.object({ id: z.string(), url: z.string() }))
const Me = z.object({ emailAddress: z.string().optional(), accountId: z.string() })
const Created = z.object({ key: z.string() })
const Found = z.object({
  issues: z.array(z.object({ key: z.string(), properties: z.record(z.string(), z.unknown()).default({}) })),
})

/** Tickets in the Jira Cloud site of a person. */
export const jira: SignInService = {
  serviceOf: (config) =>
    config.JIRA_CLIENT_ID
      ? {
          ...{ issuer: null, revoke: null, methods: [], names_itself: false, resource: null, scope: SCOPES },
          authorize: `${config.JIRA_SIGN_IN_URL}/authorize`,
          token: `${config.JIRA_SIGN_IN_URL}/oauth/token`,
          client_id: config.JIRA_CLIENT_ID,
          client_secret: config.JIRA_CLIENT_SECRET ?? null,
        }
      : null,
  parameters: { audience: 'api.atlassian.com', prompt: 'consent' },
  trusted: (config) => [config.JIRA_URL],
  whoIs: async (ask, config, signal) => {
    const [site] = Sites.parse(
      await (await ask(`${config.JIRA_URL}/oauth/token/accessible-resources`, { signal })).json(),
    )
    if (!site) throw new AppError('not_available', 'This account has no Jira site.')
    const me = `${config.JIRA_URL}/ex/jira/${encodeURIComponent(site.id)}/rest/api/3/myself`
    const { emailAddress, accountId } = Me.parse(await (await ask(me, { signal })).json())
    const address = emailAddress || `${accountId.replace(/[^\w.-]/g, '-')}@${new URL(site.url).host}`
    return { address, facts: { cloud: site.id, site: site.url } }
  },
  open: (context) => ({
    ...{ address: context.address, name: '' },
    tickets: { create: (ticket, once) => createTicket(context, ticket, once) },
  }),
}

/** Creates a ticket that names its call. Jira forgets repeated requests, so a resumed call looks for that name among the newest tickets. */
async function createTicket(context: SignedContext, ticket: TicketDraft, once: Once) {
  const { cloud = '', site = '' } = await context.account.facts()
  const base = `${context.config.JIRA_URL}/ex/jira/${encodeURIComponent(cloud)}/rest/api/3`
  const request = createJson(context, () => base)
  const { title, project, kind = 'Task', body } = ticket
  if (!/^[A-Za-z]\w{0,50}$/.test(project))
    throw new AppError('invalid', `“${project}” is not the key of a project.`)
  const done = (key: string, already: boolean) => ({ id: key, title, url: `${site}/browse/${key}`, already })
  if (once.isResumed) {
    if (once.handle === null) throw new NotDone()
    const jql = `project = "${project}" AND creator = currentUser() AND created >= -2d ORDER BY created DESC`
    const query = { jql, fields: ['summary'], properties: [PROPERTY], maxResults: 100 }
    const { issues } = await readAs(await request('/search/jql', { method: 'POST', body: query }), Found)
    const found = issues.find(({ properties }) => nameOf(properties[PROPERTY]) === once.key)
    // The search may not know a new ticket yet.
    if (!found) throw new UnknownOutcome()
    return done(found.key, true)
  }
  const fields = {
    ...{ project: { key: project }, issuetype: { name: kind }, summary: title },
    ...(body && { description: describe(body) }),
  }
  await once.keep('creating')
  const properties = [{ key: PROPERTY, value: { id: once.key } }]
  const answer = await request('/issue', { method: 'POST', body: { fields, properties }, acts: true })
  return done((await readAs(answer, Created)).key, false)
}

const Name = z.object({ id: z.string() })
const nameOf = (value: unknown) => Name.safeParse(value).data?.id

/** Writes a text in Atlassian's document format, a paragraph per line. */
const describe = (text: string) => ({
  ...{ version: 1, type: 'doc' },
  content: text
    .split(/\r?\n/)
    .map((line) => ({ type: 'paragraph', content: line === '' ? [] : [{ type: 'text', text: line }] })),
})
