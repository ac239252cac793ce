import type { User } from '#shared/identity/accounts/accounts.ts'

/** Returns a signed-in person, with defaults. */
export function aUser(given: Partial<User>): User {
  return {
    id: crypto.randomUUID(),
    email: 'claire.delmas@orsane.eu',
    username: 'claire',
    full_name: 'Claire Delmas',
    language: 'en',
    bio: null,
    writing_style_examples: [],
    balance: null,
    // The welcome has been completed.
    preferences: { onboarding: { welcome: { completed: true } } },
    picture_id: null,
    company_affiliations: [],
    created_at: '2026-03-02T08:00:00.000Z',
    ...given,
  }
}
