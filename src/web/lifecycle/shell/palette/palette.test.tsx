import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp, theSession } from '#tests/web/render-app.tsx'
import type { Sent } from '#tests/web/render-page.tsx'
import { aSession } from '#tests/web/session-builder.ts'
import { setPaletteOpen, useLayout } from '../../../platform/lib/layout.ts'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(() => {
  setPaletteOpen(false)
  leaveApp()
})

const id = '22222222-2222-4222-8222-222222222222'
const anItem = (more: object = {}) => ({
  ...{ kind: 'prompt', id, title: 'Kessler letter', detail: '/letter', used_at: '2026-11-01T00:00:00.000Z' },
  ...{ is_archived: false, ...more },
})

async function openPalette(answers = {}, me = aUser(), path = '/tools') {
  const server = aServer(
    { 'GET /palette': () => ({ items: [] }), 'POST /palette/uses': () => [204, null], ...answers },
    me,
  )
  const app = await renderApp(path, { token: 't', answers: server })
  await screen.findByRole('navigation', { name: 'Main' })
  fireEvent.keyDown(window, { key: 'k', ctrlKey: true })
  const field = await screen.findByRole('combobox', { name: 'Search or run a command' })
  return { ...app, field }
}
const option = (name: RegExp) => screen.findByRole('option', { name })

describe('palette', () => {
  it('opens a result of the server and records its use', async () => {
    const { field, hrefNow, called } = await openPalette({ 'GET /palette': () => ({ items: [anItem()] }) })
    await user.type(field, 'kess')
    const found = within(await screen.findByRole('group', { name: 'Prompts' })).getByRole('option')
    expect(found.textContent).toContain('/letter')
    expect(found.querySelector('mark')?.textContent).toBe('Kess')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(hrefNow()).toBe(`/prompts/${id}`))
    expect(called('POST /palette/uses')[0]?.body).toEqual({ kind: 'prompt', id })
    expect(useLayout.getState().isPaletteOpen).toBe(false)
  })

  it('opens pages and settings by their names', async () => {
    const { field, hrefNow } = await openPalette()
    await user.type(field, 'text width')
    await option(/Text width/)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(hrefNow()).toBe('/user/preferences'))
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Text width'))
  })

  it('offers pages of the administration only to administrators', async () => {
    const { field } = await openPalette()
    await user.type(field, 'audit')
    await option(/Search all messages for “audit”/)
    expect(screen.getAllByRole('option')).toHaveLength(2)
    setPaletteOpen(false)
    leaveApp()
    const admin = await openPalette({}, aUser({ role: 'company_admin' }))
    await user.type(admin.field, 'audit')
    await option(/Audit/)
    await user.clear(admin.field)
    await user.type(admin.field, 'queue')
    await option(/Search all messages for “queue”/)
    expect(screen.getAllByRole('option')).toHaveLength(2)
  })

  it('runs the actions of menus and buttons of the current screen', async () => {
    const session = aSession({ title: 'Lease' })
    const { field, called } = await openPalette(
      {
        ...theSession(session),
        'PUT /session-marks': () => ({
          items: [
            { session_id: session.id, pin_position: null, is_archived: true, is_unread: false, tags: [] },
          ],
        }),
      },
      aUser(),
      `/chat/${session.id}`,
    )
    await user.type(field, '> archive')
    await option(/^Archive/)
    await user.keyboard('{Enter}')
    await waitFor(() =>
      expect(called('PUT /session-marks')[0]?.body).toMatchObject({ items: [{ is_archived: true }] }),
    )
  })

  it('starts at the best match again when other words are typed', async () => {
    const items = [anItem(), anItem({ id: id.replace('2', '3'), title: 'Kessler list', detail: '/list' })]
    const { field } = await openPalette({ 'GET /palette': () => ({ items }) })
    await user.type(field, 'kess')
    await option(/Kessler list/)
    await user.keyboard('{ArrowDown}')
    expect((await option(/Kessler list/)).getAttribute('aria-selected')).toBe('true')
    expect(field.getAttribute('aria-activedescendant')).toBe((await option(/Kessler list/)).id)
    await user.type(field, 'l')
    await waitFor(async () =>
      expect((await option(/Kessler letter/)).getAttribute('aria-selected')).toBe('true'),
    )
  })

  it('opens the match of the last letters when Enter comes before the answer', async () => {
    let answer = () => {}
    const { field, hrefNow } = await openPalette({
      'GET /palette': async ({ query }: Sent) => {
        if (query.get('q') === 'kessl') await new Promise<void>((resolve) => (answer = resolve))
        return { items: query.get('q') === 'kessl' ? [anItem()] : [] }
      },
    })
    await user.type(field, 'kessl{Enter}')
    expect(hrefNow()).toBe('/tools')
    answer()
    await waitFor(() => expect(hrefNow()).toBe(`/prompts/${id}`))
  })

  it('finds pages while the server cannot be reached', async () => {
    const { field } = await openPalette({
      'GET /palette': () => [503, { code: 'unavailable', detail: 'down' }],
    })
    await user.type(field, 'docum')
    await option(/Documents/)
  })
})
