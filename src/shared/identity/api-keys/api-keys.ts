import * as z from 'zod/mini'
import { route, scopes } from '../../platform/http.ts'
import { Id, label, queryInt } from '../../platform/primitives.ts'

/** Prefix of every key, which makes a leaked key recognisable. */
export const KEY_PREFIX = 'atr_'
/** Maximum number of active keys per person. */
export const MAX_KEYS = 50
/** Maximum monthly budget of a key, in dollars. */
export const MAX_BUDGET = 100_000

export const KeyScope = z.enum(scopes)

/** A key of the caller, without its secret. Amounts in dollars; `spent` counts this month (UTC). */
export const ApiKey = z.object({
  id: Id,
  name: z.string(),
  /** First characters of the secret. */
  hint: z.string(),
  scopes: z.array(KeyScope),
  monthly_budget: z.nullable(z.number()),
  spent: z.number(),
  created_at: z.string(),
  expires_at: z.nullable(z.string()),
  /** Accurate to one minute. */
  last_used_at: z.nullable(z.string()),
  last_address: z.nullable(z.string()),
})
export type ApiKey = z.infer<typeof ApiKey>

/** Dollars per month; null for no limit besides the person's balance. */
const budget = z.nullable(z.number().check(z.gte(0), z.lte(MAX_BUDGET)))

export const NewApiKey = z.object({
  name: label(1, 80),
  scopes: z.array(KeyScope).check(z.minLength(1), z.maxLength(scopes.length)),
  /** Days until it expires; null for never. */
  days: z.nullable(z.int().check(z.gte(1), z.lte(3_650))),
  monthly_budget: z._default(budget, null),
})
export type NewApiKey = z.infer<typeof NewApiKey>

export const listApiKeys = route({
  method: 'GET',
  path: '/users/me/api-keys',
  access: 'user',
  summary: 'The API keys of the caller, the newest first',
  query: z.object({
    page: queryInt({ min: 1, max: 1_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: 50 }),
  }),
  answer: z.object({ items: z.array(ApiKey), total: z.int(), has_more: z.boolean() }),
})

/** Only this response contains the secret. */
export const createApiKey = route({
  method: 'POST',
  path: '/users/me/api-keys',
  access: 'user',
  uses: 'feature api_keys',
  fails: ['conflict'],
  summary: 'Create an API key; its secret is answered this once',
  body: NewApiKey,
  status: 201,
  answer: z.object({ key: ApiKey, secret: z.string() }),
})

/** Raising the budget resumes calls that are paused for it. */
export const setKeyBudget = route({
  method: 'PATCH',
  path: '/users/me/api-keys/:keyId',
  access: 'user',
  may: 'manage key',
  summary: "Set an API key's budget of a month; runs that stood still for it go on",
  fails: ['not_found'],
  params: z.object({ keyId: Id }),
  body: z.object({ monthly_budget: budget }),
  answer: ApiKey,
})

export const revokeApiKey = route({
  method: 'DELETE',
  path: '/users/me/api-keys/:keyId',
  access: 'user',
  may: 'manage key',
  summary: 'Revoke an API key at once, on all processes',
  params: z.object({ keyId: Id }),
  status: 204,
})
