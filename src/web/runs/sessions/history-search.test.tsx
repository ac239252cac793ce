import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  aHistoryServer,
  drawHistory,
  leaveHistory,
  prepareHistory,
  sessionsOf,
} from '#tests/web/history-page.tsx'
import { requestSearch } from '../../platform/lib/layout.ts'

beforeEach(prepareHistory)
afterEach(leaveHistory)

describe('search', () => {
  it('asks the server once per settled query and marks the hits [SE-24, SV-98]', async () => {
    const [hvac, kessler] = sessionsOf(['HVAC renewals', 'Kessler call'])
    const answers = aHistoryServer([hvac!, kessler!])
    const list = answers['GET /sessions']!
    answers['GET /sessions'] = (sent) =>
      sent.query.get('q')
        ? { items: [{ ...hvac!, match: 'the brief for \uE000Kessler\uE001.' }, kessler], total: 2 }
        : list(sent)
    const { sent } = await drawHistory(answers)
    await screen.findByRole('link', { name: 'Kessler call' })
    act(() => requestSearch())
    const field = await screen.findByRole('textbox', { name: 'Search chats' })
    expect(document.activeElement).toBe(field)
    await userEvent.type(field, 'kessler')
    expect(await screen.findByText('2 chats found')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Titles' })).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Messages' })).toBeTruthy()
    expect([...document.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual([
      'Kessler',
      'Kessler',
    ])
    expect(sent.filter(({ query }) => query.get('q')).map(({ query }) => query.get('q'))).toEqual(['kessler'])
    await userEvent.keyboard('{Escape}')
    expect(await screen.findByRole('heading', { name: 'Last 7 days' })).toBeTruthy()
  })

  it('opens the first hit of what was typed when Enter comes before the hits', async () => {
    const [newest, kessler] = sessionsOf(['HVAC renewals', 'Kessler call'])
    const answers = aHistoryServer([newest!, kessler!])
    const list = answers['GET /sessions']!
    answers['GET /sessions'] = (sent) => (sent.query.get('q') ? { items: [kessler], total: 1 } : list(sent))
    const page = await drawHistory(answers)
    await screen.findByRole('link', { name: 'Kessler call' })
    act(() => requestSearch())
    await userEvent.type(await screen.findByRole('textbox', { name: 'Search chats' }), 'kessler{Enter}')
    await waitFor(() => expect(page.pathNow()).toBe(`/chat/${kessler!.id}`))
  })

  it('opens a hit at the message that was found [SE-24]', async () => {
    const [kessler] = sessionsOf(['Kessler call'])
    const answers = aHistoryServer([kessler!])
    const list = answers['GET /sessions']!
    answers['GET /sessions'] = (sent) =>
      sent.query.get('q')
        ? { items: [{ ...kessler!, match: 'for \uE000Dalkorne\uE001.', match_message_id: 'm1' }], total: 1 }
        : list(sent)
    const page = await drawHistory(answers)
    await screen.findByRole('link', { name: 'Kessler call' })
    act(() => requestSearch())
    await userEvent.type(await screen.findByRole('textbox', { name: 'Search chats' }), 'dalkorne')
    await screen.findByText('1 chat found')
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(page.hrefNow()).toBe(`/chat/${kessler!.id}?message=m1`))
  })

  it('says when nothing was found [SE-24]', async () => {
    const answers = aHistoryServer(sessionsOf(['Kessler']))
    const list = answers['GET /sessions']!
    answers['GET /sessions'] = (sent) => (sent.query.get('q') ? { items: [], total: 0 } : list(sent))
    await drawHistory(answers)
    act(() => requestSearch())
    await userEvent.type(await screen.findByRole('textbox'), 'zzz')
    expect(await screen.findByText('No title and no message contains “zzz”.')).toBeTruthy()
  })
})
