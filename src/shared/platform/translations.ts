import * as z from 'zod/mini'
import { route } from './http.ts'
import { Language } from './primitives.ts'

export const Namespace = z.enum([
  'common',
  'actions',
  'admin',
  'assistant',
  'tools',
  'databases',
  'channels',
  'documents',
  'streaming_blocks',
  'tool_ui',
  'login',
  'onboarding',
  'vectors',
  'erasure',
  'announcements',
  'home',
  'photos',
  'file_picks',
  'chat_access',
  'data_classes',
  'programs',
  'exports',
  'own_tools',
  'assistant_mails',
  'embeds',
  'search',
  'setup',
  'overview',
  'outside_access',
  'companies',
  'prompts',
  'schedules',
  'palette',
  'shortcuts',
  'sharing',
  'trash',
  'projects',
  'notifications',
  'imports',
  'memory',
  'connectors',
])
export type Namespace = z.infer<typeof Namespace>

/** Returns the texts of one namespace as nested objects of strings. */
export const getTranslations = route({
  method: 'GET',
  path: '/translations/:lng/:ns',
  access: 'public',
  may: null,
  summary: 'Texts of one namespace',
  params: z.object({ lng: Language, ns: Namespace }),
  answer: z.record(z.string(), z.unknown()),
})
