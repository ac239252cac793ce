import * as z from 'zod/mini'
import { Control } from '../../platform/controls.ts'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'

/** Maximum number of groups that one control is hidden from, per company. */
export const MAX_HIDDEN_GROUPS = 500

/** From whom a control is hidden. An administrator of a company is not one of `everyone`, but may be in a group. */
export const HiddenControl = z.object({
  control: Control,
  /** Hidden from everyone but administrators. */
  everyone: z.boolean(),
  groups: z.array(z.object({ id: Id, name: z.string() })),
  /** The installation hides it from everyone but administrators. */
  by_installation: z.boolean(),
})
export type HiddenControl = z.infer<typeof HiddenControl>

const path = '/admin/companies/:companyId/hidden-controls'
const params = z.object({ companyId: Id })

export const listHiddenControls = route({
  method: 'GET',
  path,
  access: 'admin',
  may: 'manage company',
  summary: 'The controls of the interface that are hidden in a company, and from whom',
  params,
  answer: z.object({ items: z.array(HiddenControl) }),
})

export const hideControl = route({
  method: 'PUT',
  path: `${path}/:control`,
  access: 'admin',
  may: 'manage company',
  summary: 'Hide a control of the interface from groups of a company, or from everyone but administrators',
  description: 'Hiding is not a right: the API answers as before. Groups of other companies are ignored.',
  params: z.object({ companyId: Id, control: Control }),
  body: z.object({ everyone: z.boolean(), group_ids: z.array(Id).check(z.maxLength(MAX_HIDDEN_GROUPS)) }),
  answer: HiddenControl,
})

export const listControlsHiddenEverywhere = route({
  method: 'GET',
  path: '/admin/hidden-controls',
  access: 'super_admin',
  summary: 'The controls of the interface that the installation hides from everyone but administrators',
  answer: z.array(Control),
})

export const hideControlEverywhere = route({
  method: 'PUT',
  path: '/admin/hidden-controls/:control',
  access: 'super_admin',
  may: null,
  summary: 'Hide a control of the interface from everyone but administrators of any company, or show it',
  description: 'Hiding is not a right: the API answers as before.',
  params: z.object({ control: Control }),
  body: z.object({ everyone: z.boolean() }),
  answer: z.array(Control),
})
