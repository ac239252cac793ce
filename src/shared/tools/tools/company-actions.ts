import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'
import { ToolPolicy } from './policy.ts'

/** Tools that act outside in the name of their person. */
export const ActionTool = z.enum(['send_mail', 'file_mail', 'create_event', 'create_ticket'])
export type ActionTool = z.infer<typeof ActionTool>

/** The least strict policy of an action for the people of a company. `auto` leaves the decision to them. */
export const CompanyAction = z.object({ tool_id: ActionTool, policy: ToolPolicy })
export type CompanyAction = z.infer<typeof CompanyAction>

const path = '/admin/companies/:companyId/action-policies'

export const listCompanyActions = route({
  method: 'GET',
  path,
  access: 'admin',
  may: 'manage company',
  summary: 'How far the people of a company may act outside: in mail, calendar and tickets',
  params: z.object({ companyId: Id }),
  answer: z.object({ items: z.array(CompanyAction) }),
})

export const setCompanyAction = route({
  method: 'PUT',
  path: `${path}/:actionTool`,
  access: 'admin',
  may: 'manage company',
  summary: 'Leave an action to the people of a company, have each one asked, or forbid it',
  params: z.object({ companyId: Id, actionTool: ActionTool }),
  body: z.object({ policy: ToolPolicy }),
  answer: CompanyAction,
})
