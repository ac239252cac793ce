import { describe, expect, it } from 'vitest'
import { ApiError } from '../../platform/lib/api/api-error.ts'
import { checkPassword } from '../passwords/passwords.tsx'
import { loginProblem, resetProblem, signOnProblem, signUpProblem, waitSeconds } from './login-errors.ts'

const failed = (status: number, code: ApiError['code'], detail: string) => new ApiError(status, code, detail)

describe('login problems', () => {
  it('reads "beta" in the message as required beta access [AU-17]', () => {
    expect(loginProblem(failed(403, 'beta_required', 'Beta access required'))).toBe('beta_required')
    expect(loginProblem(new Error('closed beta'))).toBe('beta_required')
  })

  it('recognises an address outside of the networks of the company', () => {
    expect(loginProblem(failed(403, 'outside_networks', 'Orsane can be used only …'))).toBe(
      'outside_networks',
    )
  })

  it('recognises "Email not verified" [AU-18]', () => {
    expect(loginProblem(failed(403, 'email_not_verified', 'Email not verified'))).toBe('email_not_verified')
  })

  it('reports wrong credentials and unknown errors as a failed login [AU-19, AU-21]', () => {
    expect(
      loginProblem(failed(401, 'wrong_credentials', 'Login failed. Please check your credentials.')),
    ).toBe('login_failed')
    expect(loginProblem(new Error('Login failed'))).toBe('login_failed')
    expect(loginProblem(failed(500, 'broken', 'Oops'))).toBe('login_failed')
  })

  it('reads "Failed to fetch" as a connection error [AU-20]', () => {
    expect(loginProblem(failed(0, 'network', 'Failed to fetch'))).toBe('connection')
  })

  it('returns the wait after too many attempts', () => {
    expect(waitSeconds(new ApiError(429, 'rate_limited', 'Too many', { retryAfterSeconds: 12 }))).toBe(12)
    expect(waitSeconds(failed(401, 'wrong_credentials', 'no'))).toBe(0)
  })
})

describe('other failures', () => {
  it('separates required beta access from other sign-on failures [AU-22]', () => {
    expect(signOnProblem('beta_required')).toBe('beta_required')
    expect(signOnProblem('cancelled')).toBe('sso_failed')
  })

  it('separates a taken username, a taken email address and other sign-up failures [AU-23]', () => {
    expect(signUpProblem(failed(409, 'username_taken', 'Username already registered'))).toBe('username_taken')
    expect(signUpProblem(failed(409, 'email_taken', 'Email already registered'))).toBe('email_taken')
    expect(signUpProblem(failed(500, 'broken', 'Oops'))).toBe('registration_failed')
  })

  it('separates an invalid reset token from other reset failures [AU-13]', () => {
    expect(resetProblem(failed(400, 'token_invalid', 'Invalid token'))).toBe('token_invalid')
    expect(resetProblem(failed(500, 'broken', 'Oops'))).toBe('reset_failed')
  })
})

describe('checkPassword', () => {
  it('requires at least 8 characters [AU-11]', () => {
    expect(checkPassword('1234567', '1234567', null)).toEqual({ password: 'password_too_short' })
    expect(checkPassword('12345678', '12345678', null)).toEqual({})
  })

  it('requires a matching confirmation [AU-10]', () => {
    expect(checkPassword('12345678', '12345679', null)).toEqual({ confirmation: 'passwords_differ' })
  })
})
