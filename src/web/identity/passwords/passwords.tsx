import { Check, Circle, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { getSignInOptions } from '#shared/identity/accounts/accounts.ts'
import type { PasswordRules } from '#shared/identity/accounts/password-policy.ts'
import {
  countKinds,
  lengthOf,
  PASSWORD_MIN,
  type passwordFailures,
} from '#shared/identity/accounts/password-strength.ts'
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
  /** Error code of the rule that the form or the server refused the password for. */
  refused?: string | null | undefined
}

/** The rules of a new password. A met rule is marked while somebody types, a broken one only when the password was refused. */
export function PasswordRulesList({ rules, password, refused }: PasswordRulesListProps) {
  const { t } = useTranslation('common')
  return (
    <ul
      aria-label={t('password_rules.title')}
      aria-hidden={!rules}
      className={`grid gap-1 text-12 text-ink-3 ${rules ? '' : 'invisible'}`}
    >
      {linesOf(rules ?? usualRules).map(({ key, count, code, isMet }) => {
        const isBroken = refused === code
        return (
          <li key={key} className={isBroken ? 'flex gap-1.5 text-danger' : 'flex gap-1.5'}>
            <RuleMark state={isBroken ? 'broken' : isMet(password) ? 'met' : 'open'} />
            <span>{t(`password_rules.${key}`, { count })}</span>
          </li>
        )
      })}
    </ul>
  )
}

/** Takes the place of the rules until they are known, so that nothing moves when they are. */
const usualRules: PasswordRules = { min_length: PASSWORD_MIN, min_kinds: 0, refuses_common: true, history: 0 }

type Line = {
  key: 'length' | 'kinds' | 'common' | 'personal' | 'history'
  count?: number
  code: (typeof passwordFailures)[number]
  isMet: (password: string) => boolean
}

/** Only the server can tell whether a password meets the rule. */
const isUnknown = () => false

function linesOf({ min_length, min_kinds, refuses_common, history }: PasswordRules): Line[] {
  const lines: (Line & { applies: boolean })[] = [
    {
      ...{ key: 'length', applies: true, count: min_length, code: 'password_too_short' },
      isMet: (password) => lengthOf(password) >= min_length,
    },
    {
      ...{ key: 'kinds', applies: min_kinds > 1, count: min_kinds, code: 'password_kinds_missing' },
      isMet: (password) => countKinds(password) >= min_kinds,
    },
    { key: 'common', applies: refuses_common, code: 'password_common', isMet: isUnknown },
    { key: 'personal', applies: refuses_common, code: 'password_personal', isMet: isUnknown },
    {
      ...{ key: 'history', applies: history > 0, count: history, code: 'password_used_before' },
      isMet: isUnknown,
    },
  ]
  return lines.filter(({ applies }) => applies)
}

function RuleMark({ state }: { state: 'met' | 'broken' | 'open' }) {
  const { t } = useTranslation('common')
  const look = 'icon-12 mt-[3px] flex-none'
  if (state === 'open') return <Circle aria-hidden className={look} />
  if (state === 'met') return <Check aria-label={t('password_rules.met')} className={look} />
  return <X aria-label={t('password_rules.broken')} className={look} />
}
