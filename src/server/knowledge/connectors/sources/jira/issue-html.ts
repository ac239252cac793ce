import * as z from 'zod'
import { giveTurns } from '../../give-turns.ts'
import { escapeHtml, pageHtml } from '../../requests/page-html.ts'
import { adfHtml } from './adf-html.ts'

/** Characters of all comments; later ones are left out. */
const MAX_CHARACTERS = 20_000_000

const Person = z.nullish(z.object({ displayName: z.nullish(z.string()) }))
export const Comment = z.object({
  id: z.string(),
  author: Person,
  created: z.nullish(z.string()),
  body: z.unknown(),
  renderedBody: z.nullish(z.string()),
})
export type Comment = z.infer<typeof Comment>
export const FullIssue = z.object({
  id: z.string(),
  key: z.string(),
  fields: z.record(z.string(), z.unknown()),
  renderedFields: z.nullish(z.looseObject({ description: z.nullish(z.string()) })),
  names: z.nullish(z.record(z.string(), z.string())),
  schema: z.nullish(z.record(z.string(), z.looseObject({ custom: z.nullish(z.string()) }))),
})
export type FullIssue = z.infer<typeof FullIssue>

/** Fields that are shown apart or change without a change of the issue. */
const apart = new Set([
  ...[
    'summary',
    'description',
    'comment',
    'attachment',
    'worklog',
    'watches',
    'votes',
    'lastViewed',
    'updated',
  ],
  ...[
    'progress',
    'aggregateprogress',
    'workratio',
    'thumbnail',
    'issuerestriction',
    'statuscategorychangedate',
  ],
])
/** Custom fields that only Jira understands. */
const internal = /lexo-rank|devsummary|servicedesk/

/** Returns an issue as HTML: its fields, description, comments in order, and names of attachments. */
export async function issueHtml(issue: FullIssue, comments: readonly Comment[]): Promise<string> {
  const { key, fields, renderedFields } = issue
  const title = `${key} ${valueText(fields.summary)}`
  const description = renderedFields?.description || richHtml(fields.description)
  const parts = [description ? `<h2>Description</h2>${description}` : '', filesHtml(fields.attachment)]
  if (comments.length > 0) parts.push('<h2>Comments</h2>')
  const turn = giveTurns()
  let left = MAX_CHARACTERS
  for (const comment of comments) {
    const html = commentHtml(comment)
    left -= html.length
    if (left < 0) break
    parts.push(html)
    await turn()
  }
  return pageHtml({ title, facts: factsOf(issue), body: parts.filter(Boolean).join('\n') })
}

function commentHtml({ author, created, body, renderedBody }: Comment): string {
  const time = (created ?? '').replace('T', ' ').slice(0, 16)
  const head = `<p><strong>${escapeHtml(author?.displayName ?? '')}</strong> ${escapeHtml(time)}</p>`
  return head + (renderedBody || richHtml(body))
}

/** Returns a text of Cloud, which is a document, or of Data Center. */
function richHtml(text: unknown): string {
  if (typeof text !== 'string') return adfHtml(text)
  return text === '' ? '' : `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`
}

function filesHtml(files: unknown): string {
  const { data } = z.array(z.object({ filename: z.string() })).safeParse(files)
  if (!data?.length) return ''
  return `<h2>Attachments</h2><ul>${data.map(({ filename }) => `<li>${escapeHtml(filename)}</li>`).join('')}</ul>`
}

function factsOf({ fields, names, schema }: FullIssue): [name: string, value: string][] {
  return Object.entries(fields)
    .filter(([id]) => !apart.has(id) && !internal.test(schema?.[id]?.custom ?? ''))
    .map(([id, value]) => [names?.[id] ?? id, valueText(value)])
}

const Named = z.object({
  displayName: z.nullish(z.string()),
  value: z.nullish(z.string()),
  name: z.nullish(z.string()),
  key: z.nullish(z.string()),
  child: z.nullish(z.object({ value: z.nullish(z.string()) })),
})
const MAX_VALUES = 100

/** Returns a value of a field as text: of a person, an option, a version, an issue, or several. */
function valueText(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (Array.isArray(value))
    return value
      .slice(0, MAX_VALUES)
      .map((one) => (Array.isArray(one) ? '' : valueText(one)))
      .filter(Boolean)
      .join(', ')
  const { data } = Named.safeParse(value)
  if (!data) return ''
  const text = data.displayName ?? data.value ?? data.name ?? data.key ?? ''
  return data.child?.value ? `${text} – ${data.child.value}` : text
}
