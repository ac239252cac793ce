import { Check, Circle, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { getSignInOptions } from '#shared/identity/accounts/accounts.ts'
import { countKinds, lengthOf, type PasswordRules } from '#shared/identity/accounts/password-policy.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'

export { brokenRule, checkPassword, type PasswordProblems } from './password-check.ts'

/** Returns the rules for passwords; null until they are known. The server checks them in any case. */
export function usePasswordRules(): PasswordRules | null {
  const [rules, setRules] = useState<PasswordRules | null>(null)
  useEffect(() => {
    const leaving = new AbortController()
    call(getSignInOptions, { signal: leaving.signal, quiet: true }).then(
      ({ password_rules }) => setRules(password_rules),
      () => undefined,
    )
    return () => leaving.abort()
  }, [])
  return rules
}

type PasswordRulesListProps = {
  rules: PasswordRules | null
  password: string
  /** Error code of the rule that the server refused the password for. */
  refused?: string | null | undefined
}

/** The rules of a new password, each with whether it is met. Rules that only the server can check stay open until it refuses. */
export function PasswordRulesList({ rules, password, refused }: PasswordRulesListProps) {
  const { t } = useTranslation('common')
  if (!rules) return null
  const isTyped = password !== ''
  const met = (isMet: boolean) => (isTyped ? isMet : null)
  const open = (...codes: string[]) => (refused && codes.includes(refused) ? false : null)
  const length = met(lengthOf(password) >= rules.min_length)
  const lines: { text: string; isMet: boolean | null }[] = [
    { text: t('password_rules.length', { count: rules.min_length }), isMet: length },
  ]
  if (rules.min_kinds > 1) {
    const isMet = met(countKinds(password) >= rules.min_kinds)
    lines.push({ text: t('password_rules.kinds', { count: rules.min_kinds }), isMet })
  }
  if (rules.refuses_common) {
    lines.push({ text: t('password_rules.common'), isMet: open('password_common') })
    lines.push({ text: t('password_rules.personal'), isMet: open('password_personal') })
  }
  if (rules.history > 0)
    lines.push({
      text: t('password_rules.history', { count: rules.history }),
      isMet: open('password_used_before'),
    })
  return (
    <ul aria-label={t('password_rules.title')} className="grid gap-1 text-12 text-ink-3">
      {lines.map(({ text, isMet }) => (
        <li key={text} className={isMet === false ? 'flex gap-1.5 text-danger' : 'flex gap-1.5'}>
          <Mark isMet={isMet} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}

function Mark({ isMet }: { isMet: boolean | null }) {
  const { t } = useTranslation('common')
  const look = 'icon-12 mt-[3px] flex-none'
  if (isMet === null) return <Circle aria-hidden className={look} />
  return isMet ? (
    <Check aria-label={t('password_rules.met')} className={look} />
  ) : (
    <X aria-label={t('password_rules.broken')} className={look} />
  )
}
