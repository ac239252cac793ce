import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  aHistoryServer,
  at,
  drawHistory,
  leaveHistory,
  prepareHistory,
  sessionsOf,
} from '#tests/web/history-page.tsx'
import type { Answers } from '#tests/web/render-page.tsx'
import { aSession } from '#tests/web/session-builder.ts'
import { addSession, noteSession } from './sessions.ts'

const row = (title: string) => screen.getByRole('link', { name: title })

beforeEach(prepareHistory)
afterEach(leaveHistory)

describe('list', () => {
  it('shows sessions under their groups with title, day, preview and state [SE-02, SE-03, SE-05]', async () => {
    const [newest, older] = sessionsOf(['Kessler call', 'HVAC renewals'])
    const answers = aHistoryServer([
      { ...newest!, preview: 'The audio track' },
      { ...older!, updated_at: at(20) },
    ])
    const { sent } = await drawHistory(answers)
    await screen.findByText('Kessler call', { selector: 'span:not(.sr-only)' })
    const first = row('Kessler call').closest('[role=listitem]') as HTMLElement
    expect(within(first).getByText('Today')).toBeTruthy()
    expect(within(first).getByText('The audio track')).toBeTruthy()
    expect(within(first).getByText('Completed')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Last 7 days' })).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Past month' })).toBeTruthy()
    expect(sent[0]?.query.get('limit')).toBe('50')
  })

  it('gives every row its height and position, and renders only rows near the screen [SE-04]', async () => {
    await drawHistory(
      aHistoryServer(Array.from({ length: 50 }, (_, index) => aSession({ title: `Chat ${index}` }))),
    )
    await screen.findByRole('link', { name: 'Chat 0' })
    const items = screen.getAllByRole('listitem')
    expect(items[0]?.style.height).toBe('48px')
    expect(items[1]?.style.height).toBe('88px')
    expect(items[1]?.style.transform).toBe('translateY(48px)')
    expect(items[1]?.getAttribute('aria-posinset')).toBe('1')
    expect(items[1]?.getAttribute('aria-setsize')).toBe('50')
    expect(items.length).toBeLessThan(30)
  })

  it('loads the next page near the end, and shows a loader of 40 px meanwhile [SE-04, SE-02]', async () => {
    const answers = aHistoryServer(
      Array.from({ length: 60 }, (_, index) => aSession({ title: `Chat ${index}` })),
    )
    const list = answers['GET /sessions']!
    answers['GET /sessions'] = (sent) =>
      sent.query.get('skip') === '0'
        ? { ...(list(sent) as object), items: (list(sent) as { items: [] }).items.slice(0, 8) }
        : list(sent)
    const { sent } = await drawHistory(answers)
    await waitFor(() => expect(sent.some(({ query }) => query.get('skip') === '8')).toBe(true))
    expect(await screen.findByRole('link', { name: 'Chat 9' })).toBeTruthy()
  })

  it('shows an empty title as Untitled [SE-06]', async () => {
    await drawHistory(aHistoryServer([aSession({ title: '' })]))
    expect(await screen.findByRole('link', { name: 'Untitled' })).toBeTruthy()
  })

  it('calls a chat without messages a new chat, even in the rename field', async () => {
    const id = '847c2ed9-0000-4000-8000-000000000000'
    await drawHistory(aHistoryServer([aSession({ id, title: 'Chat 847c2ed9', status: 'NEW' })]))
    const link = await screen.findByRole('link', { name: 'New chat' })
    expect(screen.queryByText(/847c2ed9/)).toBeNull()
    fireEvent.doubleClick(link)
    expect((await screen.findByRole<HTMLInputElement>('textbox')).value).toBe('New chat')
  })

  it('follows status changes reported elsewhere [SE-12, SE-13]', async () => {
    const [session] = sessionsOf(['Kessler call'])
    await drawHistory(aHistoryServer([session!]))
    await screen.findByText('Completed')
    act(() => noteSession(session!.id, { status: 'GENERATING' }))
    expect(await screen.findByText('Working')).toBeTruthy()
  })

  it('rereads the first page while something runs [SE-12]', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const answers = aHistoryServer([aSession({ title: 'Run', status: 'GENERATING' })])
    await drawHistory(answers)
    await screen.findByText('Working')
    answers['GET /sessions'] = () => ({ items: [aSession({ title: 'Run', status: 'COMPLETED' })], total: 1 })
    await act(() => vi.advanceTimersByTimeAsync(3100))
    expect(await screen.findByText('Completed')).toBeTruthy()
  })

  it('shows a new session immediately [LI-03]', async () => {
    await drawHistory(aHistoryServer(sessionsOf(['Kessler call'])))
    await screen.findByRole('link', { name: 'Kessler call' })
    act(() => addSession(aSession({ title: 'Fresh', updated_at: at(0) })))
    await screen.findByRole('link', { name: 'Fresh' })
    expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(['Fresh', 'Kessler call'])
  })

  it('shows the exact sentence for an answer it cannot read [SE-16]', async () => {
    await drawHistory({ 'GET /sessions': () => ({ rows: [] }) })
    expect(
      await screen.findByText(
        'Received unexpected data format for sessions. Expected an array or an object with an "items" property.',
      ),
    ).toBeTruthy()
  })

  it('explains an empty history, and retries a failed one [SE-02]', async () => {
    const answers: Answers = { 'GET /sessions': () => [403, { detail: 'No.', code: 'forbidden' }] }
    await drawHistory(answers)
    await screen.findByText('The chats could not be loaded')
    answers['GET /sessions'] = () => []
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('No chats yet')).toBeTruthy()
  })

  it('shows eight skeleton rows after 150 ms [SE-02]', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { container } = await drawHistory({ 'GET /sessions': () => new Promise(() => {}) })
    expect(container.querySelectorAll('[data-skeleton]')).toHaveLength(0)
    await act(() => vi.advanceTimersByTimeAsync(200))
    expect(container.querySelectorAll('[data-skeleton]')).toHaveLength(8)
  })
})

describe('rename', () => {
  it('renames on a double click and sends the title [SE-07]', async () => {
    const [session] = sessionsOf(['Kessler call'])
    const { sent } = await drawHistory(aHistoryServer([session!]))
    await userEvent.dblClick(await screen.findByRole('link', { name: 'Kessler call' }))
    const field = await screen.findByRole('textbox', { name: 'Title of the chat' })
    expect(field.getAttribute('maxlength')).toBe('50')
    await userEvent.clear(field)
    await userEvent.type(field, 'Kessler 2027{Enter}')
    expect(await screen.findByRole('link', { name: 'Kessler 2027' })).toBeTruthy()
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({ title: 'Kessler 2027' }),
    )
  })

  it('sends nothing for an empty title, an unchanged one, or after Escape [SE-08]', async () => {
    const [session] = sessionsOf(['Kessler call'])
    const { sent } = await drawHistory(aHistoryServer([session!]))
    for (const typed of ['{Enter}', 'Kessler call{Enter}', 'Other{Escape}']) {
      const link = await screen.findByRole('link', { name: 'Kessler call' })
      act(() => link.focus())
      await userEvent.keyboard('{F2}')
      const field = await screen.findByRole('textbox')
      await userEvent.clear(field)
      await userEvent.type(field, typed)
      expect(await screen.findByRole('link', { name: 'Kessler call' })).toBeTruthy()
    }
    expect(sent.filter(({ method }) => method === 'PUT')).toEqual([])
  })

  it('leaves Enter to an input method [SE-08]', async () => {
    await drawHistory(aHistoryServer(sessionsOf(['Kessler call'])))
    await userEvent.dblClick(await screen.findByRole('link', { name: 'Kessler call' }))
    fireEvent.keyDown(await screen.findByRole('textbox'), { key: 'Enter', isComposing: true })
    expect(screen.getByRole('textbox')).toBeTruthy()
  })

  it('restores the old title if the server refuses [SE-08]', async () => {
    const [session] = sessionsOf(['Kessler call'])
    await drawHistory(
      aHistoryServer([session!], { [`PUT /sessions/${session!.id}/rename`]: () => [500, { detail: 'No.' }] }),
    )
    await userEvent.dblClick(await screen.findByRole('link', { name: 'Kessler call' }))
    await userEvent.clear(await screen.findByRole('textbox'))
    await userEvent.type(screen.getByRole('textbox'), 'Other{Enter}')
    expect(await screen.findByText('Failed to rename session')).toBeTruthy()
    expect(await screen.findByRole('link', { name: 'Kessler call' })).toBeTruthy()
  })

  it.each(['its button', 'a right click'])(
    'calls rename Edit in the menu of a chat, next to Delete, by %s [SH-27]',
    async (way) => {
      await drawHistory(aHistoryServer(sessionsOf(['Kessler call'])))
      const button = await screen.findByRole('button', { name: 'Actions for Kessler call' })
      if (way === 'its button') await userEvent.click(button)
      else fireEvent.contextMenu(screen.getByRole('link', { name: 'Kessler call' }))
      const names = (await screen.findAllByRole('menuitem')).map((item) => item.textContent)
      expect(names.slice(-2)).toEqual(['Edit titleF2', 'Delete⌫'])
    },
  )
})

describe('deletion', () => {
  const confirmDelete = async () =>
    userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))

  it('collapses for 850 ms before the call [SE-10]', async () => {
    const [first, second] = sessionsOf(['First', 'Second'])
    const { sent } = await drawHistory(aHistoryServer([first!, second!]))
    const link = await screen.findByRole('link', { name: 'First' })
    act(() => link.focus())
    await userEvent.keyboard('{Delete}')
    await confirmDelete()
    const calls = () => sent.filter(({ method }) => method === 'DELETE')
    const begun = Date.now()
    expect(row('First').closest<HTMLElement>('[role=listitem]')?.style.height).toBe('0px')
    expect(calls()).toHaveLength(0)
    await waitFor(() => expect(calls()).toHaveLength(1), { timeout: 2000 })
    expect(Date.now() - begun).toBeGreaterThan(700)
    await waitFor(() => expect(screen.queryByRole('link', { name: 'First' })).toBeNull())
  })

  it('opens the neighbour of a deleted current session [SE-11]', async () => {
    const [first, second, third] = sessionsOf(['First', 'Second', 'Third'])
    const page = await drawHistory(aHistoryServer([first!, second!, third!]), `/chat/${second!.id}`)
    await screen.findByRole('link', { name: 'Second' })
    expect(row('Second').getAttribute('aria-current')).toBe('page')
    act(() => row('Second').focus())
    await userEvent.keyboard('{Delete}')
    await confirmDelete()
    await waitFor(() => expect(page.pathNow()).toBe(`/chat/${third!.id}`), { timeout: 2000 })
    await waitFor(() => expect(document.activeElement).toBe(row('Third')))
  })

  it('opens the start page when none is left [SE-11]', async () => {
    const [only] = sessionsOf(['Only'])
    const page = await drawHistory(aHistoryServer([only!]), `/chat/${only!.id}`)
    await screen.findByRole('link', { name: 'Only' })
    act(() => row('Only').focus())
    await userEvent.keyboard('{Backspace}')
    await confirmDelete()
    await waitFor(() => expect(page.pathNow()).toBe('/'), { timeout: 2000 })
    expect(await screen.findByText('No chats yet')).toBeTruthy()
  })

  it('restores a session that could not be deleted [ER-07, SE-10]', async () => {
    const [first] = sessionsOf(['First'])
    await drawHistory(
      aHistoryServer([first!], { [`DELETE /sessions/${first!.id}`]: () => [500, { detail: 'No.' }] }),
    )
    const link = await screen.findByRole('link', { name: 'First' })
    act(() => link.focus())
    await userEvent.keyboard('{Delete}')
    await confirmDelete()
    await waitFor(
      () => expect(row('First').closest<HTMLElement>('[role=listitem]')?.style.height).toBe('88px'),
      { timeout: 2500 },
    )
    expect(await screen.findByText('Failed to delete chat session(s)')).toBeTruthy()
  })
})

describe('multi-select', () => {
  it('selects with checkboxes and Shift with arrows, and deletes all of them [SE-09]', async () => {
    const { sent } = await drawHistory(aHistoryServer(sessionsOf(['First', 'Second', 'Third', 'Fourth'])))
    await userEvent.click(await screen.findByRole('button', { name: 'Select' }))
    const box = (title: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ${title}` })
    await userEvent.click(box('Second'))
    await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}')
    await waitFor(() => expect(document.activeElement).toBe(box('Third')))
    expect(['First', 'Second', 'Third', 'Fourth'].map((title) => box(title).checked)).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(screen.getByText('2 of 4')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Delete 2' }))
    expect(await screen.findByText('Delete 2 chats?')).toBeTruthy()
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(sent.filter(({ method }) => method === 'DELETE')).toHaveLength(2), {
      timeout: 2000,
    })
    await waitFor(() => expect(screen.queryByText('Second')).toBeNull())
  })

  it('selects all, and exits with Escape [SE-09]', async () => {
    await drawHistory(aHistoryServer(sessionsOf(['First', 'Second'])))
    await userEvent.click(await screen.findByRole('button', { name: 'Select' }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all chats' }))
    expect(screen.getByText('2 selected')).toBeTruthy()
    act(() => screen.getByRole('checkbox', { name: 'Select First' }).focus())
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByText('2 selected')).toBeNull()
  })
})

describe('keyboard', () => {
  it('moves with arrows, Home, End and letters, with one row in the tab order [SE-04]', async () => {
    await drawHistory(aHistoryServer(sessionsOf(['Kessler', 'HVAC', 'Audit'])))
    await screen.findByRole('link', { name: 'Kessler' })
    act(() => row('Kessler').focus())
    const focused = async (title: string) => waitFor(() => expect(document.activeElement).toBe(row(title)))
    await userEvent.keyboard('{ArrowDown}')
    await focused('HVAC')
    expect(['Kessler', 'HVAC', 'Audit'].map((title) => row(title).tabIndex)).toEqual([-1, 0, -1])
    await userEvent.keyboard('{End}')
    await focused('Audit')
    await userEvent.keyboard('{Home}')
    await focused('Kessler')
    await userEvent.keyboard('a')
    await focused('Audit')
  })

  it('opens a session with a click or Enter [SE-11]', async () => {
    const [first] = sessionsOf(['First'])
    const page = await drawHistory(aHistoryServer([first!]))
    await userEvent.click(await screen.findByRole('link', { name: 'First' }))
    await waitFor(() => expect(page.pathNow()).toBe(`/chat/${first!.id}`))
  })
})
