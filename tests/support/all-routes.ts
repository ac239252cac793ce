/** Every page of the product for a signed-in administrator, apart from those of one chat, document or assistant. */
export const signedInRoutes: readonly string[] = [
  '/',
  ...['preferences', 'security', 'keys', 'billing', 'data'].map((tab) => `/user/${tab}`),
  '/documents',
  '/assistant',
  '/assistant/create',
  '/tools',
  ...['calculator', 'web_search', 'code_interpreter', 'document_search', 'weather'].map(
    (id) => `/tools/${id}`,
  ),
  '/tools/servers',
  '/tools/create',
  '/tools/openapi',
  '/inbox',
  '/debug',
  '/debug?tab=sse',
  '/debug/bench',
  '/setup',
  '/admin',
  '/admin/models',
  ...[
    ...['companies', 'groups', 'grants', 'sign_up', 'sign_on', 'usage', 'budgets', 'health', 'queue'],
    ...['announcements', 'retention', 'accesses', 'audit'],
  ].map((page) => `/admin?page=${page}`),
]
