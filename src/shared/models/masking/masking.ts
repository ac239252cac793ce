import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, record } from '../../platform/primitives.ts'

/** Kinds of personal details that can be replaced before a call leaves the installation. */
export const MaskKind = z.enum(['person', 'address', 'email', 'phone', 'iban', 'card', 'identity', 'birth'])
export type MaskKind = z.infer<typeof MaskKind>

/** `choice` leaves it to each person, by chat. */
export const MaskingMode = z.enum(['off', 'choice', 'on'])
export type MaskingMode = z.infer<typeof MaskingMode>

/** The setting of a company. Built-in and installed models receive everything. */
export const CompanyMasking = z.object({
  mode: MaskingMode,
  kinds: z.array(MaskKind).check(z.minLength(1), z.maxLength(MaskKind.options.length)),
  /** Exceptions by provider: always (`true`) or never (`false`). */
  connections: record(200, z.boolean()),
})
export type CompanyMasking = z.infer<typeof CompanyMasking>

/** A connected provider. Without an exception, one in the network receives everything. */
export const MaskedProvider = z.object({ provider: z.string(), name: z.string(), is_local: z.boolean() })
export type MaskedProvider = z.infer<typeof MaskedProvider>

const path = '/admin/companies/:companyId/masking'
const params = z.object({ companyId: Id })

export const getCompanyMasking = route({
  method: 'GET',
  path,
  access: 'admin',
  may: 'manage company',
  summary: 'Which personal details a company replaces in calls to outside providers',
  params,
  answer: z.extend(CompanyMasking, {
    providers: z.array(MaskedProvider),
  }),
})

export const setCompanyMasking = route({
  method: 'PUT',
  path,
  access: 'admin',
  may: 'manage company',
  status: 204,
  summary: 'Set which personal details a company replaces in calls to outside providers',
  params,
  body: CompanyMasking,
})

const counts = z.object({
  message_id: Id,
  /** Different details by kind. */
  counts: z.partialRecord(MaskKind, z.int()),
})

/** The state of a chat. `mode` is that of the company; `is_on` says whether details are replaced in the next call. */
export const ChatMasking = z.object({ mode: MaskingMode, is_on: z.boolean(), replies: z.array(counts) })
export type ChatMasking = z.infer<typeof ChatMasking>

export const getChatMasking = route({
  method: 'GET',
  path: '/sessions/:sessionId/masking',
  access: 'user',
  may: 'read session',
  summary:
    'Whether personal details of a chat are replaced, and how many were replaced for its latest replies',
  params: z.object({ sessionId: Id }),
  answer: ChatMasking,
})

export const chooseChatMasking = route({
  method: 'PUT',
  path: '/sessions/:sessionId/masking',
  access: 'user',
  may: 'write session',
  status: 204,
  summary:
    'Choose to replace personal details in a chat and in new ones; counts where the company leaves it to its people',
  params: z.object({ sessionId: Id }),
  body: z.object({ is_on: z.boolean() }),
})

/** A detail with the placeholder that the provider received. */
export const MaskedDetail = z.object({ kind: MaskKind, placeholder: z.string(), value: z.string() })
export type MaskedDetail = z.infer<typeof MaskedDetail>

export const listMaskedDetails = route({
  method: 'GET',
  path: '/sessions/:sessionId/messages/:messageId/masked-details',
  access: 'user',
  may: 'read session',
  summary: 'The personal details that were replaced in the calls for a reply',
  params: z.object({ sessionId: Id, messageId: Id }),
  pages: 10_000,
  answer: z.array(MaskedDetail),
})
