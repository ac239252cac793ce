import { type FormEvent, useState } from 'react'
import { signUp } from '#shared/identity/accounts/accounts.ts'
import type { PasswordRules } from '#shared/identity/accounts/password-policy.ts'
import { passwordFailures } from '#shared/identity/accounts/password-strength.ts'
import type { SecondStep } from '#shared/identity/accounts/second-factor.ts'
import { currentLanguage } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { checkPassword, usePasswordRules } from '../passwords/passwords.tsx'
import { type SignUpProblem, signUpProblem, waitSeconds } from './login-errors.ts'
import { signIn } from './sign-in.ts'

const empty = { full_name: '', username: '', email: '', password: '', confirmation: '', setup_code: '' }
export type SignUpFields = typeof empty
/** Error keys under `errors`, by field. */
export type SignUpErrors = Partial<Record<keyof SignUpFields, string>>
type Done = { message: string; email: string; verificationRequired: boolean }

/** Token of an invitation and the invited address. An address that is set cannot be changed. */
export type Invited = { token: string; email: string | null }
type Options = { askSetupCode: boolean; invited: Invited | undefined; onDone: (done: Done) => void }

/** State of the sign-up form. Signs the user in when no verification is needed; otherwise `onDone` gets the data of the next page. */
export function useSignUp({ askSetupCode, invited, onDone }: Options) {
  const [values, setValues] = useState({ ...empty, email: invited?.email ?? '' })
  const [errors, setErrors] = useState<SignUpErrors>({})
  const [failure, setFailure] = useState<{ problem: SignUpProblem; wait: number } | null>(null)
  const [wantsCode, setWantsCode] = useState(false)
  const rules = usePasswordRules()
  const [isBusy, setBusy] = useState(false)
  const [step, setStep] = useState<SecondStep | null>(null)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const found = checkSignUp(values, askSetupCode || wantsCode, rules)
    setErrors(found)
    setFailure(null)
    if (Object.keys(found).length > 0) return focusFirst(event.currentTarget, found)
    setBusy(true)
    try {
      const answer = await call(signUp, { body: toBody(values, invited) })
      const entered = answer.verification_required ? 'not' : await signInAs(values)
      if (entered !== 'not') return setStep(entered)
      onDone({
        message: answer.message,
        email: values.email.trim(),
        verificationRequired: answer.verification_required,
      })
    } catch (error) {
      const problem = signUpProblem(error)
      const own = fieldErrors(error, problem)
      setErrors(own)
      if (problem === 'setup_code') setWantsCode(true)
      if (Object.keys(own).length === 0) setFailure({ problem, wait: waitSeconds(error) })
    } finally {
      setBusy(false)
    }
  }

  return {
    values,
    /** A new account has no earlier passwords. */
    rules: rules && { ...rules, history: 0 },
    errors,
    failure: failure?.problem ?? null,
    waitSeconds: failure?.wait ?? 0,
    needsSetupCode: askSetupCode || wantsCode,
    isBusy,
    /** Second step the company requires before the new user is signed in. */
    step,
    submit,
    set: (name: keyof SignUpFields, value: string) => {
      setValues((before) => ({ ...before, [name]: value }))
      setErrors(({ [name]: _, ...rest }) => rest)
    },
  }
}

/** Validates a sign-up; returns an error key per invalid field. The full name is optional. */
export function checkSignUp(
  values: SignUpFields,
  needsSetupCode: boolean,
  rules: PasswordRules | null = null,
): SignUpErrors {
  const errors: SignUpErrors = { ...checkPassword(values.password, values.confirmation, rules) }
  if (!values.password) errors.password = 'required'
  if (!values.username.trim()) errors.username = 'required'
  else if (/[\s@]/.test(values.username.trim())) errors.username = 'username_invalid'
  if (!values.email.trim()) errors.email = 'required'
  else if (!/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(values.email.trim())) errors.email = 'email_invalid'
  if (needsSetupCode && !values.setup_code.trim()) errors.setup_code = 'setup_code'
  return errors
}

/** Builds the body of `POST /users`. An empty full name becomes null. */
export function toBody(values: SignUpFields, invited?: Invited) {
  return {
    username: values.username.trim(),
    email: values.email.trim(),
    full_name: values.full_name.trim() || null,
    password: values.password,
    language: currentLanguage(),
    ...(values.setup_code.trim() ? { setup_code: values.setup_code.trim() } : {}),
    ...(invited ? { invitation: invited.token } : {}),
  }
}

/** Signs in to the new account, like `signIn`. A closed beta may refuse. */
function signInAs({ username, password }: SignUpFields): Promise<SecondStep | null | 'not'> {
  return signIn(username.trim(), password).catch(() => 'not' as const)
}

function fieldErrors(error: unknown, problem: SignUpProblem): SignUpErrors {
  if (problem === 'username_taken') return { username: problem }
  if (problem === 'email_taken') return { email: problem }
  if (problem === 'setup_code') return { setup_code: problem }
  const refused = isApiError(error) ? passwordFailures.find((code) => code === error.code) : undefined
  if (refused) return { password: refused }
  const wrong = isApiError(error, 422) ? error.fields.map((field) => field.path) : []
  return {
    ...(wrong.includes('username') ? { username: 'username_invalid' } : {}),
    ...(wrong.includes('email') ? { email: 'email_invalid' } : {}),
  }
}

function focusFirst(form: HTMLFormElement, errors: SignUpErrors) {
  const first = Object.keys(empty).find((name) => name in errors)
  const control = first ? form.elements.namedItem(first) : null
  if (control instanceof HTMLElement) control.focus()
}
