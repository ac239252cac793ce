import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, text } from '../../platform/primitives.ts'
import { Named } from '../../runs/runs/request.ts'

/** Longest time to approve a call, in minutes: 30 days. */
export const MAX_APPROVAL_MINUTES = 43_200
export const MIN_APPROVAL_MINUTES = 5
/** Maximum number of tools with a named approver in one company. */
export const MAX_TOOL_APPROVALS = 500

/** The approver of a tool's calls for the people of a company. */
export const ToolApproval = z.object({
  tool_id: z.string(),
  /** Null for a tool that the caller cannot see any more. */
  tool_name: z.nullable(z.string()),
  /** Null when the person or group is gone: only the deputy can approve. */
  approver: z.nullable(Named),
  deputy: z.nullable(Named),
  /** Minutes after which the deputy may approve as well; null without a deputy. */
  deputy_minutes: z.nullable(z.int()),
  /** Minutes after which the call is declined. */
  deadline_minutes: z.int(),
})
export type ToolApproval = z.infer<typeof ToolApproval>

const Who = z.object({ kind: z.enum(['person', 'group']), id: Id })
export type Who = z.infer<typeof Who>

const path = '/admin/companies/:companyId/tool-approvals'
const params = z.object({ companyId: Id })
const one = z.object({ companyId: Id, approvedToolId: text(1, 100) })

export const listToolApprovals = route({
  method: 'GET',
  path,
  access: 'admin',
  may: 'manage company',
  summary: 'The tools whose calls a named person or group of the company approves, by tool',
  params,
  answer: z.object({ items: z.array(ToolApproval) }),
})

export const setToolApproval = route({
  method: 'PUT',
  path: `${path}/:approvedToolId`,
  access: 'admin',
  may: 'manage company',
  fails: ['conflict'],
  summary: 'Name who approves the calls of a tool for the people of a company; nobody else can',
  params: one,
  body: z.object({
    approver: Who,
    deputy: z.nullable(Who),
    deputy_minutes: z._default(z.int().check(z.gte(0), z.lte(MAX_APPROVAL_MINUTES)), 60),
    deadline_minutes: z.int().check(z.gte(MIN_APPROVAL_MINUTES), z.lte(MAX_APPROVAL_MINUTES)),
  }),
  answer: ToolApproval,
})

export const removeToolApproval = route({
  method: 'DELETE',
  path: `${path}/:approvedToolId`,
  access: 'admin',
  may: 'manage company',
  status: 204,
  summary: 'Let the people of a company approve the calls of a tool themselves again',
  params: one,
})
