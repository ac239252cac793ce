import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Feature, features } from '#shared/platform/features.ts'
import { aServer, leaveApp, prepareBrowser, renderApp, theSession } from '#tests/web/render-app.tsx'
import { aSession } from '#tests/web/session-builder.ts'
import { aUser } from '#tests/web/user-builder.ts'
import { showChange } from './api/user-events/show-change.ts'

beforeEach(() => prepareBrowser())
afterEach(leaveApp)

const session = aSession({ title: 'Renewals', session_metadata: { agent_type: 'multi_turn' } })
let closed: Feature[] = []

/** Opens a page for a user who has no access to some features. */
async function open(path: string, isClosed: Feature[] = [...features]) {
  closed = isClosed
  await renderApp(path, {
    token: 't',
    answers: aServer({
      ...theSession(session),
      'GET /users/me': () => aUser({ closed_features: closed }),
      'GET /tools': () => [],
      'GET /mcp-servers': () => [],
      'GET /api-keys': () => ({ items: [], total: 0, has_more: false }),
      'GET /webhooks': () => ({ items: [], total: 0 }),
      'GET /exports': () => ({ items: [], has_more: false }),
      'GET /links': () => ({ items: [], has_more: false }),
    }),
  })
}
const isThere = async (role: string, name: string | RegExp) => (await screen.findAllByRole(role, { name }))[0]

describe('closed feature', () => {
  it.each(['/tools/create', '/tools/openapi', '/tools/servers', '/user/keys'])(
    'has no page at %s and explains why',
    async (path) => {
      await open(path)
      await isThere('heading', 'This is not open to you')
    },
  )

  it('is missing from the tools until it is opened', async () => {
    await open('/tools')
    await isThere('heading', 'Tools')
    expect(screen.queryByRole('link', { name: /MCP/ })).toBeNull()
    expect(document.querySelector('a[href="/tools/create"], a[href="/tools/openapi"]')).toBeNull()
    closed = []
    showChange({ event: 'grants_changed' })
    await waitFor(() => expect(document.querySelector('a[href="/tools/create"]')).not.toBeNull())
    expect(document.querySelector('a[href="/tools/servers"]')).not.toBeNull()
  })

  it("is missing from the user's tabs and data", async () => {
    await open('/user/data')
    await isThere('tab', 'Your data')
    expect(screen.queryByRole('tab', { name: /keys/i })).toBeNull()
    await screen.findByText('Taken out')
    expect(screen.queryByRole('heading', { name: 'Links' })).toBeNull()
  })

  it('is missing from the composer', async () => {
    await open(`/chat/${session.id}`)
    const attach = () => document.querySelector('[data-composer] .lucide-paperclip')
    const record = () => document.querySelector('[data-composer] .lucide-mic')
    await isThere('textbox', /message/i)
    expect([attach(), record()]).toEqual([null, null])
    expect(screen.queryByRole('button', { name: 'Share' })).toBeNull()
    closed = []
    showChange({ event: 'grants_changed' })
    await waitFor(() => expect(attach()).not.toBeNull())
    expect(record()).not.toBeNull()
  })
})
