import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { aSession } from '#tests/web/session-builder.ts'
import { HistoryRow } from './history-row.tsx'

afterEach(leavePage)

const nothing = () => undefined
const handlers = {
  ...{ onOpen: nothing, onToggle: nothing, onFocus: nothing, onRename: nothing },
  ...{ onRenameEnd: nothing, menu: () => Promise.resolve([]) },
}
const states = { isCurrent: false, isActive: true, isSelected: false, isRenaming: false }

/** One row, and a switch of the multi-select mode. */
function Page({ session }: { session: Session }) {
  const [isSelecting, setSelecting] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setSelecting(!isSelecting)}>
        Mode
      </button>
      <HistoryRow {...handlers} {...states} {...{ session, isSelecting }} now={new Date()} query="" />
    </>
  )
}

describe('history row', () => {
  it.each([
    [undefined, 'Loading', 'circle-dashed'],
    ['GENERATING', 'Working', 'loader-circle'],
    ['COMPLETED', 'Completed', 'circle-check'],
    ['FAILED', 'Failed', 'circle-x'],
    ['NEW', 'New', 'circle-dot'],
    ['active', 'Idle', 'circle'],
  ])('has for the status %s the mark %s; only work spins [SE-12, G-11]', async (status, word, icon) => {
    await renderPage(<Page session={{ ...aSession({}), status: status as Session['status'] }} />)
    const mark = (await screen.findByText(word)).querySelector('svg')
    expect([...(mark?.classList ?? [])]).toContain(`lucide-${icon}`)
    expect(mark?.classList.contains('animate-spin')).toBe(status === 'GENERATING')
  })

  it('moves aside for its checkbox, which fades in and out, in 300 ms each way [SE-09]', async () => {
    const user = userEvent.setup()
    await renderPage(<Page session={aSession({ title: 'First' })} />)
    const line = (await screen.findByRole('link', { name: 'First' })).parentElement
    const box = document.querySelector('[aria-label="Select First"]')?.closest('span[class*=opacity]')
    const classes = () => [...(line?.classList ?? []), ...(box?.classList ?? [])]
    const motion = ['transition-[padding,background-color]', 'transition-[opacity,visibility]']
    const during = [...motion, 'duration-(--d-view)']
    expect(classes()).toEqual(expect.arrayContaining([...during, 'pl-3', 'invisible', 'opacity-0']))
    await user.click(screen.getByRole('button', { name: 'Mode' }))
    expect(classes()).toEqual(expect.arrayContaining([...during, 'pl-10', 'visible', 'opacity-100']))
    await user.click(screen.getByRole('button', { name: 'Mode' }))
    expect(classes()).toEqual(expect.arrayContaining([...during, 'pl-3', 'invisible', 'opacity-0']))
    // Only elements that stay in the page can move.
    expect([line?.isConnected, box?.isConnected]).toEqual([true, true])
  })
})
