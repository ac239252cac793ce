import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MarkChange } from '#shared/chat/session-marks/session-marks.ts'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { type Answers, leavePage, renderPage, type Sent } from '#tests/web/render-page.tsx'
import { aSession } from '#tests/web/session-builder.ts'
import { ToastHost } from '../../platform/ui/toasts/toast-host.tsx'
import { HistoryList } from './history-list.tsx'
import { noteMarks } from './marks.ts'
import { useReadMark } from './read-mark.ts'
import { useUndo } from './undo.ts'

/** A fake server that keeps marks as the real one does. */
function aServer(sessions: Session[]): Answers {
  let stored = sessions
  const lastPin = () => Math.max(0, ...stored.map(({ pin_position }) => pin_position ?? 0))
  const marked = (session: Session, change: MarkChange): Session => {
    const { is_pinned, is_archived, is_unread, add_tags = [], remove_tags = [] } = change
    const tags = [...new Set([...session.tags, ...add_tags])].filter((tag) => !remove_tags.includes(tag))
    const archived = is_archived ?? session.is_archived
    const pinned = is_pinned ? (session.pin_position ?? lastPin() + 1) : session.pin_position
    return {
      ...session,
      ...{ is_archived: archived, is_unread: is_unread ?? session.is_unread, tags },
      pin_position: archived || is_pinned === false ? null : pinned,
    }
  }
  return {
    'GET /sessions': ({ query }) => {
      const tags = query.get('tags')?.split(',') ?? []
      const isArchive = query.get('archived') === 'true'
      const items = stored.filter(
        (one) => one.is_archived === isArchive && tags.every((tag) => one.tags.includes(tag)),
      )
      const pinned = items.filter(({ pin_position }) => pin_position !== null)
      return { items, total: items.length, ...(isArchive || tags.length > 0 ? {} : { pinned }) }
    },
    'GET /session-marks/tags': () => {
      const tags = stored.flatMap((session) => session.tags)
      return { items: [...new Set(tags)].map((tag) => ({ tag, count: 1 })) }
    },
    'PUT /session-marks': ({ body }) => {
      const { items } = body as { items: MarkChange[] }
      for (const change of items)
        stored = stored.map((one) => (one.id === change.session_id ? marked(one, change) : one))
      const changed = items.map(({ session_id }) => stored.find(({ id }) => id === session_id)!)
      return {
        items: changed.map(({ id, pin_position, is_archived, is_unread, tags }) => ({
          ...{ session_id: id, pin_position, is_archived, is_unread, tags },
        })),
      }
    },
    'PUT /session-marks/pins': ({ body }) => {
      const { session_ids } = body as { session_ids: string[] }
      stored = stored.map((one) =>
        session_ids.includes(one.id) ? { ...one, pin_position: session_ids.indexOf(one.id) + 1 } : one,
      )
      return { session_ids }
    },
    ...Object.fromEntries(
      sessions.map((session) => [
        `DELETE /sessions/${session.id}`,
        () => {
          stored = stored.filter(({ id }) => id !== session.id)
          return { message: 'Deleted' }
        },
      ]),
    ),
    'POST /restored-sessions': ({ body }) => {
      const back = sessions.find(({ id }) => id === (body as { session_id: string }).session_id)!
      stored = [...stored, back]
      return back
    },
  }
}

const at = (daysBack: number) => new Date(Date.now() - daysBack * 86_400_000).toISOString()
const some = (given: Partial<Session>[]) =>
  given.map((session, index) => aSession({ title: `Chat ${index}`, updated_at: at(index), ...session }))
const titles = () => screen.getAllByRole('link').map((link) => link.querySelector('.sr-only')?.textContent)
const bodyOf = (sent: Sent[], path: string) => sent.findLast((call) => call.path === path && call.body)?.body
const Page = () => (
  <>
    <HistoryList
      exportOf={(ids, onClose) => (
        <button type="button" onClick={onClose}>{`Export of ${ids.length}`}</button>
      )}
    />
    <ToastHost />
  </>
)
async function draw(sessions: Session[], path = '/') {
  const page = await renderPage(<Page />, { path, answers: aServer(sessions) })
  const user = userEvent.setup()
  const menu = async (title: string, entry: string) => {
    fireEvent.contextMenu(await screen.findByRole('link', { name: new RegExp(`^${title}`) }))
    await user.click(await screen.findByRole('menuitem', { name: new RegExp(`^${entry}`) }))
  }
  const select = async (...names: string[]) => {
    await user.click(await screen.findByRole('button', { name: 'Select' }))
    for (const name of names) await user.click(screen.getByRole('checkbox', { name: `Select ${name}` }))
  }
  const undo = async () => user.click(await screen.findByRole('button', { name: 'Undo' }))
  return { ...page, user, menu, select, undo }
}

beforeEach(() => {
  // jsdom has no layout, but the virtual list needs its window's height.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(1200)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(300)
  Element.prototype.scrollTo = () => {}
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
})
afterEach(() => {
  leavePage()
  useUndo.setState({ offered: [] })
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('pins', () => {
  it('shows pinned chats first under their own heading, in their order', async () => {
    await draw(some([{}, { pin_position: 2 }, {}, { pin_position: 1 }]))
    await screen.findByRole('heading', { name: 'Pinned' })
    expect(titles()).toEqual(['Chat 3', 'Chat 1', 'Chat 0', 'Chat 2'])
  })

  it('pins from the menu and undoes it', async () => {
    const { menu, undo } = await draw(some([{}, {}]))
    await menu('Chat 1', 'Pin')
    await waitFor(() => expect(titles()).toEqual(['Chat 1', 'Chat 0']))
    await undo()
    await waitFor(() => expect(titles()).toEqual(['Chat 0', 'Chat 1']))
  })

  it('reorders by keyboard, by the menu and by drag', async () => {
    const { menu, sent } = await draw(
      some([{ pin_position: 1 }, { pin_position: 2 }, { pin_position: 3 }, {}]),
    )
    const first = await screen.findByRole('link', { name: 'Chat 0' })
    first.focus()
    fireEvent.keyDown(first, { key: 'ArrowDown', altKey: true })
    await waitFor(() => expect(titles()).toEqual(['Chat 1', 'Chat 0', 'Chat 2', 'Chat 3']))
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Chat 0'))
    await menu('Chat 2', 'Move up')
    await waitFor(() => expect(titles()).toEqual(['Chat 1', 'Chat 2', 'Chat 0', 'Chat 3']))
    const item = (title: string) => screen.getByRole('link', { name: title }).closest('[role=listitem]')!
    fireEvent.dragStart(item('Chat 0'), { dataTransfer: { setData: () => undefined } })
    await waitFor(() => {
      fireEvent.dragOver(item('Chat 1'))
      expect(item('Chat 1').getAttribute('data-drop')).toBe('above')
    })
    fireEvent.drop(item('Chat 1'))
    fireEvent.dragEnd(item('Chat 0'))
    expect(item('Chat 1').hasAttribute('data-drop')).toBe(false)
    await waitFor(() => expect(titles()).toEqual(['Chat 0', 'Chat 1', 'Chat 2', 'Chat 3']))
    const ids = (bodyOf(sent, '/session-marks/pins') as { session_ids: string[] }).session_ids
    expect(ids).toHaveLength(3)
  })

  it('says how many chats can be pinned when there are too many', async () => {
    const { menu, answers } = await draw(some([{}]))
    answers['PUT /session-marks'] = () => [409, { detail: 'No', code: 'conflict' }]
    await menu('Chat 0', 'Pin')
    expect(await screen.findByText('You can pin 32 chats. Unpin one first.')).toBeTruthy()
  })
})

describe('archive', () => {
  it('hides an archived chat, lists it in the archive and restores it there [OC-02]', async () => {
    const { menu, user, hrefNow } = await draw(some([{}, {}]))
    await menu('Chat 1', 'Archive')
    await waitFor(() => expect(titles()).toEqual(['Chat 0']))
    await user.click(screen.getByRole('button', { name: 'Archived chats' }))
    await waitFor(() => expect(titles()).toEqual(['Chat 1']))
    expect(hrefNow()).toContain('chats=archived')
    await menu('Chat 1', 'Restore')
    expect(await screen.findByText('Nothing archived')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Back to chats' }))
    await waitFor(() => expect(titles()).toEqual(['Chat 0', 'Chat 1']))
  })

  it('marks archived chats among the hits of a search [OC-02]', async () => {
    const [hit] = some([{ title: 'Lyon lease', is_archived: true, match: 'Lyon \u{E000}lease\u{E001}' }])
    const page = await renderPage(<Page />, {
      answers: { 'GET /sessions': () => ({ items: [hit], total: 1 }) },
    })
    expect(within((await screen.findAllByRole('listitem'))[1]!).getByText('Archived')).toBeTruthy()
    expect(page.sent.length).toBeGreaterThan(0)
  })
})

describe('tags', () => {
  it('filters by tags of the address, two narrowing the list [OC-03]', async () => {
    const chats = some([{ tags: ['Achats', 'FR'] }, { tags: ['Achats'] }, {}])
    const { user, hrefNow } = await draw(chats, '/?chat_tags=Achats')
    await waitFor(() => expect(titles()).toEqual(['Chat 0', 'Chat 1']))
    await user.click(await screen.findByRole('button', { name: 'FR' }))
    await waitFor(() => expect(titles()).toEqual(['Chat 0']))
    expect(decodeURIComponent(hrefNow())).toContain('chat_tags=Achats,FR')
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    await waitFor(() => expect(titles()).toEqual(['Chat 0', 'Chat 1', 'Chat 2']))
    expect(hrefNow()).not.toContain('chat_tags=A')
  })

  it('creates a tag for several chats and undoes it', async () => {
    const { select, user, sent, undo } = await draw(some([{ tags: ['FR'] }, {}, {}]))
    await select('Chat 0', 'Chat 1')
    await user.click(await screen.findByRole('button', { name: 'Tags…' }))
    await user.type(await screen.findByRole('textbox', { name: 'Find or create a tag' }), 'Achats{Enter}')
    const tagsSent = () =>
      (bodyOf(sent, '/session-marks') as { items: MarkChange[] }).items.map(
        ({ session_id: _, ...tags }) => tags,
      )
    await waitFor(() => expect(tagsSent()).toEqual(Array(2).fill({ add_tags: ['Achats'] })))
    await user.click(screen.getByRole('button', { name: 'Done' }))
    await undo()
    await waitFor(() => expect(tagsSent()).toEqual(Array(2).fill({ remove_tags: ['Achats'] })))
  })
})

describe('unread', () => {
  it('marks unread chats until the event of another browser says they were opened', async () => {
    const [unread] = some([{ is_unread: true }])
    await draw([unread!])
    const link = await screen.findByRole('link', { name: 'Chat 0, unread' })
    expect(link.parentElement?.querySelector('[data-unread]')).toBeTruthy()
    act(() =>
      noteMarks([
        { session_id: unread!.id, pin_position: null, is_archived: false, is_unread: false, tags: [] },
      ]),
    )
    expect(await screen.findByRole('link', { name: 'Chat 0' })).toBeTruthy()
    expect(document.querySelector('[data-unread]')).toBeNull()
  })

  it('marks the chat on screen as read, and tries again after a failure', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const open = aSession({ is_unread: true })
    const answers = aServer([open])
    const markRead = answers['PUT /session-marks']!
    let isDown = true
    const OnScreen = () => {
      useReadMark(open)
      return null
    }
    const { sent } = await renderPage(<OnScreen />, {
      answers: {
        ...answers,
        'PUT /session-marks': (call) => (isDown ? [500, { detail: 'Failed' }] : markRead(call)),
      },
    })
    const marked = () => sent.filter(({ method }) => method === 'PUT').length
    await waitFor(() => expect(marked()).toBe(1))
    isDown = false
    await act(() => vi.advanceTimersByTimeAsync(3_500))
    await waitFor(() => expect(marked()).toBe(2))
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(marked()).toBe(2)
  })

  it('never marks the chat on screen', async () => {
    const [open] = some([{ is_unread: true }])
    await draw([open!], `/chat/${open!.id}`)
    expect(await screen.findByRole('link', { name: 'Chat 0' })).toBeTruthy()
  })
})

describe('multi-select', () => {
  it('archives and marks as read several chats, each undone for 10 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { select, user, undo, sent } = await draw(some([{ is_unread: true }, { is_unread: true }, {}]))
    await select('Chat 0', 'Chat 1')
    await user.click(await screen.findByRole('button', { name: 'Mark as read' }))
    expect(await screen.findByText('2 chats marked as read')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('link', { name: /unread/ })).toBeNull())
    await undo()
    await waitFor(() => expect(screen.getAllByRole('link', { name: /unread/ })).toHaveLength(2))
    await select('Chat 0', 'Chat 2')
    await user.click(await screen.findByRole('button', { name: 'Archive' }))
    await waitFor(() => expect(titles()).toEqual(['Chat 1']))
    await undo()
    await waitFor(() => expect(titles()).toEqual(['Chat 0', 'Chat 1', 'Chat 2']))
    await select('Chat 2')
    await user.click(await screen.findByRole('button', { name: 'Archive' }))
    expect(await screen.findByRole('button', { name: 'Undo' })).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(9_000))
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(1_500))
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
    expect(sent.length).toBeGreaterThan(0)
  })

  it('deletes several chats and brings them back', async () => {
    const { select, user, undo, sent } = await draw(some([{}, {}, {}]))
    await select('Chat 0', 'Chat 1')
    await user.click(await screen.findByRole('button', { name: 'Delete 2' }))
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(titles()).toEqual(['Chat 2']))
    expect(sent.findLast(({ method }) => method === 'DELETE')?.query.get('undo')).toBe('true')
    await undo()
    await waitFor(() => expect(titles().sort()).toEqual(['Chat 0', 'Chat 1', 'Chat 2']))
  })

  it('exports the selected chats', async () => {
    const { select, user } = await draw(some([{}, {}]))
    await select('Chat 0', 'Chat 1')
    await user.click(await screen.findByRole('button', { name: 'Export' }))
    expect(await screen.findByRole('button', { name: 'Export of 2' })).toBeTruthy()
  })
})
