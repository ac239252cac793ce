import type { JobKind } from '#shared/lifecycle/queue/queue.ts'

/** Job kinds that users wait for; all others are maintenance. */
const kinds: Record<string, JobKind> = {
  'process-document': 'document',
  'accounts.mail': 'mail',
  'accounts.invitation': 'mail',
  'accounts.change-email-mail': 'mail',
  'make-export': 'export',
  'import-chats': 'import',
  'name-chat': 'title',
  'keep-belief': 'memory',
  'install-model': 'model',
  'build-embedding-model': 'model',
  'erase-account': 'erasure',
  'delete-due': 'erasure',
  'forget-passages': 'search',
  'reconcile-passages': 'search',
  'run-retrieval-bench': 'search',
  'webhooks.deliver': 'webhook',
}

export const kindOf = (name: string): JobKind => kinds[name] ?? 'upkeep'
