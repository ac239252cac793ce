import * as z from 'zod/mini'
import { Control } from '../../platform/controls.ts'
import { Feature } from '../../platform/features.ts'
import { route } from '../../platform/http.ts'
import { atMost, Id, Language, label, Notice, record, text } from '../../platform/primitives.ts'
import { Brand } from '../branding/branding.ts'
import { Email } from './email.ts'
import { Password, PasswordDue, PasswordRules } from './password-policy.ts'
import { passwordFailures } from './password-strength.ts'
import { SignedIn } from './second-factor.ts'

export const RoleName = z.enum(['super_admin', 'company_admin', 'member'])
export type RoleName = z.infer<typeof RoleName>

export const CompanyAffiliation = z.object({
  company: z.object({ id: Id, name: z.string() }),
  role: z.object({ name: RoleName }),
})

/** Client-side settings of a user: onboarding progress and interface choices. */
export const Preferences = z.record(z.string(), z.unknown())

/** The signed-in person. `balance` is in US dollars; null when billing is off. */
export const User = z.object({
  id: Id,
  email: z.string(),
  username: z.string(),
  full_name: z.nullable(z.string()),
  language: Language,
  bio: z.nullable(z.string()),
  writing_style_examples: z.array(z.string()),
  balance: z.nullable(z.number()),
  preferences: Preferences,
  /** Changes with every new picture; null without a picture. */
  picture_id: z.nullable(Id),
  company_affiliations: z.array(CompanyAffiliation),
  created_at: z.string(),
  /** Unread notices of administrators' access to their chats; only in the caller's own data. */
  unseen_chat_accesses: z.optional(z.int()),
  /** Number of current announcements, at most three; only in the caller's own data. */
  announcements: z.optional(z.int()),
  /** Features closed to the person; only in the caller's own data. */
  closed_features: z.optional(z.array(Feature)),
  /** Controls of the interface that administrators hide from the person; only in the caller's own data. */
  hidden_controls: z.optional(z.array(Control)),
  /** Keys of shortcuts that the person changed, by action; only in the caller’s own data. */
  shortcuts: z.optional(z.record(z.string(), z.string())),
  /** True when a company restricts its administration to networks that do not include the caller's address; only in the caller's own data. */
  administration_closed: z.optional(z.boolean()),
  /** True when the person must accept terms of a company; only in the caller's own data. */
  terms_due: z.optional(z.boolean()),
  /** Brand of the person's company, if it has one; only in the caller's own data. */
  brand: z.optional(Brand),
  /** Reason to change the password before anything else; only in the caller's own data. */
  password_due: z.optional(PasswordDue),
})
export type User = z.infer<typeof User>

export const getMe = route({
  method: 'GET',
  path: '/users/me',
  access: 'user',
  beforeNewPassword: true,
  summary: 'The signed-in user',
  answer: User,
})

export const createToken = route({
  method: 'POST',
  path: '/token',
  access: 'public',
  fails: [
    'conflict',
    'token_invalid',
    'wrong_credentials',
    'email_not_verified',
    'beta_required',
    'setup_code_required',
    'sign_up_refused',
    'username_taken',
    'email_taken',
    'directory_unavailable',
    'not_available',
    'forbidden',
    'outside_networks',
  ],
  form: true,
  summary: 'Sign in by username or email',
  body: z.object({ username: text(1, 254), password: text(1, 256) }),
  answer: SignedIn,
})

/** Exchanges the single-use code of a sign-on, valid for one minute, for an access token. */
export const exchangeSignOnCode = route({
  method: 'POST',
  path: '/token/exchange',
  access: 'public',
  fails: ['token_invalid', 'outside_networks'],
  summary: 'Exchange a sign-on code for a token',
  body: z.object({ code: text(1, 200) }),
  answer: SignedIn,
})

export const deleteToken = route({
  method: 'DELETE',
  path: '/token',
  access: 'user',
  beforeNewPassword: true,
  summary: 'Sign out this token',
  /** Address that ends the session at the sign-on service too; null when there is none. */
  answer: z.extend(Notice, { sign_out_url: z.nullable(z.string()) }),
})

export const signUp = route({
  method: 'POST',
  path: '/users',
  access: 'public',
  fails: [
    'token_invalid',
    'setup_code_required',
    'sign_up_refused',
    'username_taken',
    'email_taken',
    'forbidden',
    ...passwordFailures,
  ],
  summary: 'Create an account',
  status: 201,
  body: z.object({
    // Excludes @, so that a name never looks like an email, and invisible or direction-changing characters.
    username: z
      .string()
      .check(
        ...[atMost(1000), z.trim(), z.normalize('NFKC'), z.minLength(1), atMost(64)],
        z.regex(/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._+'’-]*$/u),
        z.regex(/^\P{DI}*$/u),
      ),
    email: Email,
    full_name: z.nullish(label(0, 200)),
    password: Password,
    language: z.optional(Language),
    setup_code: z.optional(text(0, 64)),
    /** Token from an invitation link. */
    invitation: z.optional(text(1, 200)),
  }),
  answer: z.object({ message: z.string(), verification_required: z.boolean() }),
})

export const requestPasswordReset = route({
  method: 'POST',
  path: '/users/request-password-reset',
  access: 'public',
  summary: 'Ask for a reset link',
  body: z.object({ email: Email }),
  answer: Notice,
})

export const resetPassword = route({
  method: 'POST',
  path: '/users/reset-password',
  access: 'public',
  fails: ['token_invalid', ...passwordFailures],
  summary: 'Set a new password with a reset token',
  body: z.object({ token: text(1, 200), new_password: Password }),
  answer: Notice,
})

export const verifyEmail = route({
  method: 'POST',
  path: '/users/verify-email',
  access: 'public',
  fails: ['token_invalid', 'email_taken'],
  summary: 'Prove an email address',
  query: z.object({ token: text(1, 200) }),
  answer: Notice,
})

export const resendVerification = route({
  method: 'POST',
  path: '/users/resend-verification-email',
  access: 'public',
  summary: 'Send the verification mail again',
  body: z.object({ email: Email }),
  answer: Notice,
})

export const updatePreferences = route({
  method: 'PUT',
  path: '/users/me/preferences',
  alsoMethods: ['PATCH'],
  access: 'user',
  fails: ['not_found'],
  summary: 'Change profile and preferences; fields left out stay as they are',
  body: z.object({
    full_name: z.nullish(label(0, 200)),
    bio: z.nullish(text(0, 4000)),
    language: z.optional(Language),
    writing_style_examples: z.optional(z.array(text(0, 8000)).check(z.maxLength(10))),
    preferences: z.optional(record(100, z.unknown())),
  }),
  answer: User,
})

/** An external sign-on service. Locked until an administrator has configured it. */
export const SignOnProvider = z.object({
  id: z.enum(['google', 'microsoft', 'github', 'apple', 'facebook', 'saml', 'oidc', 'oauth']),
  /** Button label. */
  name: z.string(),
  available: z.boolean(),
})
export type SignOnProvider = z.infer<typeof SignOnProvider>

/** Redirects a browser to the service. `redirect_uri` must be on the product's own origin. */
export const visitSignOn = route({
  method: 'GET',
  path: '/login/:provider',
  access: 'public',
  may: null,
  summary: 'Go to a sign-on service; ends at redirect_uri with token or sso_error',
  status: 302,
  params: z.object({ provider: text(1, 40) }),
  query: z.object({ redirect_uri: z.optional(z.string().check(atMost(2000), z.url())) }),
})

/** Redirect address of the service's answer, to be registered with the service. */
export const returnFromSignOn = route({
  method: 'GET',
  path: '/login/:provider/callback',
  access: 'public',
  may: null,
  summary: 'Return from a sign-on service',
  status: 302,
  params: z.object({ provider: text(1, 40) }),
  query: z.object({
    state: z.optional(text(0, 4000)),
    code: z.optional(text(0, 4000)),
    error: z.optional(text(0, 4000)),
  }),
})

/** Accepts answers sent as a form and redirects to the route above, so that the browser sends its cookies. */
export const returnByForm = route({
  method: 'POST',
  path: '/login/:provider/callback',
  access: 'public',
  may: null,
  form: true,
  bodyLimit: 256 * 1024,
  summary: 'Return from a sign-on service that posts a form',
  status: 302,
  params: z.object({ provider: text(1, 40) }),
  body: z.object({
    state: z.optional(text(0, 4000)),
    code: z.optional(text(0, 4000)),
    error: z.optional(text(0, 4000)),
    user: z.optional(text(0, 4000)),
    SAMLResponse: z.optional(text(0, 200_000)),
    RelayState: z.optional(text(0, 4000)),
  }),
})

/** Returns the SAML metadata of this product: its name and the address for answers. XML. */
export const readSamlMetadata = route({
  method: 'GET',
  path: '/login/saml/metadata',
  access: 'public',
  sends: 'application/xml',
  summary: 'The SAML metadata of this product',
})

/** Returns the SAML metadata for a provider that has an id of its own. */
export const readProviderMetadata = route({
  method: 'GET',
  path: '/login/:provider/metadata',
  access: 'public',
  may: null,
  sends: 'application/xml',
  summary: 'The SAML metadata of this product for one provider',
  params: z.object({ provider: text(1, 40) }),
})

/** Returns the options of the sign-in screens, without signing in. */
export const getSignInOptions = route({
  method: 'GET',
  path: '/sign-in-options',
  access: 'public',
  summary: 'How people may sign in here',
  answer: z.object({
    providers: z.array(SignOnProvider),
    /** Providers set up in the administration, for `visitSignOn`; absent without one. */
    own_providers: z.optional(z.array(z.object({ id: z.string(), name: z.string() }))),
    verification_required: z.boolean(),
    setup_code_required: z.boolean(),
    first_account: z.boolean(),
    /** Sign-up policy. */
    sign_up: z.enum(['open', 'invitation', 'domain', 'closed']),
    /** True when a mail server is configured; without one, passwords cannot be reset by link. */
    sends_mail: z.boolean(),
    password_rules: PasswordRules,
  }),
})
