import type { TFunction } from 'i18next'
import type { GrantedThing, NamedGrant, PersonalDecision } from '#shared/identity/grants/grants.ts'
import { BUILT_IN_MODEL } from '#shared/models/connections/connections.ts'
import { modelLabel } from '../../../platform/lib/models/model-label.ts'

/** Returns the display name of a thing. Features and the built-in model have translated names. */
export function nameOfThing(
  t: TFunction,
  { kind, id, name }: Pick<GrantedThing, 'kind' | 'id' | 'name'>,
): string {
  if (kind === 'feature') return t(`grants.feature.${id}`)
  return kind === 'model' && id === BUILT_IN_MODEL ? modelLabel(id, t) : name
}

/** Returns the display name of a grant's role, company or group. */
export function nameOfGrant(
  t: TFunction,
  { who, id, name }: Pick<NamedGrant, 'who' | 'id' | 'name'>,
): string {
  if (who === 'role') return t(`grants.role.${id}`)
  if (who === 'nobody' || who === 'others') return t(`grants.${who}`)
  return name ?? id
}

/** Returns a short reason why a user may or may not use a thing. */
export function whyOf(t: TFunction, { reason, decided_by, grants }: PersonalDecision): string {
  if (reason === 'not_named')
    return decided_by ? t('grants.why.not_named_by', { company: decided_by.name }) : t('grants.why.not_named')
  if (reason === 'open') return t('grants.why.open')
  const names = [...new Set(grants.map((grant) => nameOfGrant(t, grant)))].join(', ')
  return t(`grants.why.${reason}`, { names: names || t('grants.why.elsewhere') })
}
