import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { placeOf } from '#shared/platform/shortcut-rules.ts'
import { type ShortcutAction, shortcutTable } from '#shared/platform/shortcut-table.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import type { Answers, Sent } from '#tests/web/render-page.tsx'
import { setHelpOpen, useLayout } from '../../../platform/lib/layout.ts'
import { actionOf } from '../../../platform/lib/me/shortcuts.ts'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(() => {
  setHelpOpen(false)
  leaveApp()
})

/** Opens the sheet with a server that stores changes. */
async function openSheet(shortcuts: Record<string, string> = {}, answers: Answers = {}) {
  let stored = { ...shortcuts }
  const server = aServer({
    'GET /users/me': () => aUser({ shortcuts: stored }),
    'PUT /users/me/shortcuts': ({ body }: Sent) => {
      const { action, keys } = body as { action: string; keys: string | null }
      const { [action]: _, ...others } = stored
      stored = keys === null ? others : { ...others, [action]: keys }
      return { shortcuts: stored }
    },
    'DELETE /users/me/shortcuts': () => {
      stored = {}
      return { shortcuts: {} }
    },
    ...answers,
  })
  const app = await renderApp('/tools', { token: 't', answers: server })
  await screen.findByRole('navigation', { name: 'Main' })
  fireEvent.keyDown(window, { key: '?', shiftKey: true })
  const sheet = await screen.findByRole('dialog', { name: 'Shortcuts' })
  const button = (name: RegExp) => within(sheet).getByRole('button', { name })
  const press = async (name: RegExp, keys: object) => {
    await user.click(button(name))
    fireEvent.keyDown(window, keys)
  }
  return { ...app, sheet, button, press }
}

describe('sheet of shortcuts', () => {
  it('lists all shortcuts, changes each, and refuses a conflict with the name of the other action [OC-11]', async () => {
    const { sheet, press, called } = await openSheet()
    const actions = Object.values(shortcutTable).flatMap((place) => Object.keys(place) as ShortcutAction[])
    expect(within(sheet).getAllByRole('button', { name: /Change the keys/ })).toHaveLength(actions.length)
    expect(sheet.textContent).not.toMatch(/actions\.|places\.|keys\.[a-z]/)
    for (const [place, action] of actions.entries()) {
      const key = String.fromCharCode('a'.charCodeAt(0) + (place % 26))
      const keys = { key, ctrlKey: true, altKey: true, shiftKey: place >= 26 }
      const name = i18next.t(`shortcuts:actions.${action}`)
      const label = `Ctrl Alt ${place >= 26 ? 'Shift ' : ''}${key.toUpperCase()}`
      await press(new RegExp(`^${name}: `), keys)
      await within(sheet).findByRole('button', { name: `${name}: ${label}. Change the keys` })
      expect(called('PUT /users/me/shortcuts')).toHaveLength(place + 1)
      expect(actionOf({ ...keys, code: '', metaKey: false }, placeOf(action))).toBe(action)
    }
    await press(/^New chat: /, { key: 'a', ctrlKey: true, altKey: true })
    await within(sheet).findByText('Ctrl Alt A belongs to “Search and commands”. Choose other keys.')
    expect(called('PUT /users/me/shortcuts')).toHaveLength(actions.length)
  })

  it('applies changed keys immediately', async () => {
    const { sheet, button, press, called } = await openSheet()
    await press(/^New chat: Ctrl Shift O/, { key: 'E', ctrlKey: true, shiftKey: true })
    await waitFor(() => button(/^New chat: Ctrl Shift E/))
    expect(called('PUT /users/me/shortcuts')[0]?.body).toEqual({ action: 'new_chat', keys: 'mod+shift+e' })
    await press(/^Show or hide the sidebar: Ctrl B/, { key: 'm', ctrlKey: true })
    await waitFor(() => button(/^Show or hide the sidebar: Ctrl M/))
    await user.click(within(sheet).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const before = useLayout.getState().isSidebarOpen
    fireEvent.keyDown(window, { key: 'b', ctrlKey: true })
    expect(useLayout.getState().isSidebarOpen).toBe(before)
    fireEvent.keyDown(window, { key: 'm', ctrlKey: true })
    expect(useLayout.getState().isSidebarOpen).toBe(!before)
    fireEvent.keyDown(window, { key: 'm', ctrlKey: true })
  })

  it('refuses keys of another action with its name, and keys of the browser', async () => {
    const { sheet, press, called, button } = await openSheet()
    await press(/^New chat: Ctrl Shift O/, { key: 'k', ctrlKey: true })
    await within(sheet).findByText('Ctrl K belongs to “Search and commands”. Choose other keys.')
    // The next keys may be free.
    fireEvent.keyDown(window, { key: 't', ctrlKey: true })
    await within(sheet).findByText('The browser or the system uses Ctrl T. Choose other keys.')
    expect(called('PUT /users/me/shortcuts')).toEqual([])
    fireEvent.keyDown(window, { key: 'Escape' })
    await waitFor(() => button(/^New chat: Ctrl Shift O/))
    expect(within(sheet).queryByRole('alert')).toBeNull()
    expect(screen.getByRole('dialog', { name: 'Shortcuts' })).toBeTruthy()
  })

  it('names the other action when another browser gave it the keys meanwhile', async () => {
    let shortcuts = {}
    const { sheet, press } = await openSheet(
      {},
      {
        'GET /users/me': () => aUser({ shortcuts }),
        'PUT /users/me/shortcuts': () => {
          shortcuts = { search: 'mod+shift+e' }
          return [409, { code: 'conflict', detail: 'taken' }]
        },
      },
    )
    await press(/^New chat: Ctrl Shift O/, { key: 'E', ctrlKey: true, shiftKey: true })
    await within(sheet).findByText('Ctrl ⇧ E belongs to “Search all messages”. Choose other keys.')
  })

  it('restores one action or all', async () => {
    const { button, sheet } = await openSheet({ rename: 'f4', approve: 'y', new_chat: 'mod+shift+e' })
    await user.click(button(/^Restore the keys of “Rename”/))
    await waitFor(() => button(/^Rename: F2/))
    await user.click(button(/^Restore all/))
    await waitFor(() => button(/^Approve, yes: A/))
    button(/^New chat: Ctrl Shift O/)
    expect(within(sheet).queryByRole('button', { name: /^Restore the keys/ })).toBeNull()
  })
})
