import type { User } from '#shared/accounts/accounts.ts'
import type { Assistant, ListedAssistant } from '#shared/assistants/assistants.ts'
import { AppError } from '#shared/errors.ts'
import type { AssistantRow, ListedRow } from './store.ts'

/** Its owner, and who administers the company it is shared in. */
export function mayEdit({ user_id, company_id }: ListedRow, user: User): boolean {
  return user_id === user.id || administered(user).includes(company_id ?? '')
}

/** Who may edit it, and when it is published everybody of the company it is shared in. */
export function mayUse(row: ListedRow, user: User): boolean {
  const isColleague = user.company_affiliations.some(({ company }) => company.id === row.company_id)
  return (isColleague && row.status === 'published') || mayEdit(row, user)
}

/**
 * The company a save shares an assistant with; null: nobody, undefined: it stays as it is. A shared one stays in its
 * company, a new share goes to the first company that the editor administers.
 * @throws AppError `forbidden` for a new share by somebody who administers none
 */
export function companyFor(
  user: User,
  shared: boolean | undefined,
  isShared: boolean,
): string | null | undefined {
  if (!shared || isShared) return shared === false ? null : undefined
  const [company] = administered(user)
  if (company) return company
  throw new AppError('forbidden', 'Only an administrator of your company can share an assistant with it.')
}

function administered(user: User): string[] {
  const own = user.company_affiliations.filter(({ role }) => role.name !== 'member')
  return own.map(({ company }) => company.id)
}

/** An assistant as it goes over the wire to this person. */
export function toAssistant(row: AssistantRow, user: User): Assistant
export function toAssistant(row: ListedRow, user: User): ListedAssistant
export function toAssistant(row: ListedRow, user: User): ListedAssistant {
  const { user_id, company_id, created_at, updated_at, ...fields } = row
  return {
    ...(fields as unknown as ListedAssistant),
    ...{
      shared: company_id !== null,
      own: user_id === user.id,
      built_in: false,
      can_edit: mayEdit(row, user),
    },
    ...{ created_at: created_at.toISOString(), updated_at: updated_at.toISOString() },
  }
}
