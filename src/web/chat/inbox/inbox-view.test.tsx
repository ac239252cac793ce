import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { InputRequest } from '#shared/runs/input-requests/input-requests.ts'
import type { InputRequiredBlock, PausedBlock } from '#shared/runs/runs/blocks.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { InboxButton } from './inbox-button.tsx'
import { groupByDeadline, spanOf } from './inbox-groups.ts'
import { InboxView } from './inbox-view.tsx'

beforeAll(() => {
  Element.prototype.scrollIntoView ??= () => undefined
})
afterEach(leavePage)

const tool = {
  tool_execution_id: 'e1',
  tool_id: 'calculator',
  tool_name: 'Calculator',
  input: { a: 21, b: 2 },
}

let requests = 0
function anItem(title: string, request: Partial<InputRequiredBlock> = {}): InputRequest {
  const id = `r${++requests}`
  return {
    ...{ run_id: `run-${id}`, session_id: `s-${title}`, session_title: title, assistant_id: null },
    ...{ assistant_name: null, asked_by: null, state: 'waiting', answered_at: null },
    request: {
      ...{ type: 'input_required', id, checkpoint_name: 'waiting_for_input', prompt: `${title}?` },
      ...{ input_types: ['text'], state: 'waiting', input: null, deadline: null },
      ...{ created_at: new Date(Date.now() - 26 * 60_000).toISOString(), ...request },
    },
  }
}
const approval = (title: string) => anItem(title, { kind: 'approval', input_types: ['json'], tool })
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

/** Returns the number of requests per assistant. */
const groupsOf = (items: InputRequest[]) =>
  [...new Set(items.map(({ assistant_id }) => assistant_id))].map((id) => {
    const own = items.filter(({ assistant_id }) => assistant_id === id)
    return { id, name: own[0]?.assistant_name ?? null, count: own.length }
  })

const unpaid = (title: string, at_step?: PausedBlock['at_step']): InputRequest => ({
  ...anItem(title),
  request: {
    ...{ type: 'paused', id: 'paused', reason: 'balance', checkpoint_name: 'llm_checkpoint_4' },
    ...{ created_at: new Date().toISOString(), ...(at_step && { at_step }) },
  },
})

async function inbox(items: InputRequest[], more: Answers = {}, path = '/inbox') {
  const left = [...items]
  const answers: Answers = {
    'GET /input-requests': ({ query }) => {
      const status = query.get('status') ?? 'waiting'
      const assistant = query.get('assistant_id')
      const found = left.filter((item) => item.state === status)
      const shown = found.filter(({ assistant_id }) => !assistant || (assistant_id ?? 'none') === assistant)
      const [skip, limit] = [Number(query.get('skip') ?? 0), Number(query.get('limit'))]
      return { items: shown.slice(skip, skip + limit), total: shown.length, assistants: groupsOf(found) }
    },
    ...more,
  }
  for (const { session_id } of items)
    answers[`POST /sessions/${session_id}/provide-input`] = () => {
      left.splice(
        left.findIndex((item) => item.session_id === session_id),
        1,
      )
      return { status: 'accepted' }
    }
  const page = await renderPage(<InboxView />, { path, answers })
  const bodies = () => page.sent.filter(({ method }) => method === 'POST').map(({ body }) => body)
  return { ...page, user: userEvent.setup(), bodies }
}
const row = (name: string) => screen.getByRole('region', { name })

describe('inbox', () => {
  it('lists waiting requests of all chats by deadline, with the first that needs a form open [RT-31, SV-92]', async () => {
    await inbox([
      anItem('Soon', { deadline: inHours(0.001) }),
      anItem('Later', { deadline: inHours(72) }),
      approval('Mail'),
    ])
    expect(await screen.findByText('3 requests wait for you')).toBeTruthy()
    expect(screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)).toEqual([
      ...['Due today', 'Due later', 'No deadline'],
    ])
    expect(within(row('Soon')).getByRole('textbox', { name: 'Text' })).toBeTruthy()
    expect(within(row('Later')).queryByRole('textbox')).toBeNull()
    expect(
      within(row('Mail')).getByText('Allow “Calculator” to run with First number: 21, Second number: 2?'),
    ).toBeTruthy()
    expect(within(row('Mail')).getByText(/waiting for 26 min/)).toBeTruthy()
  })

  it('answers approvals and yes-or-no questions in their row [RT-31]', async () => {
    const { user, bodies } = await inbox([approval('Mail'), anItem('Import', { input_types: ['boolean'] })])
    await user.click(
      within(await screen.findByRole('region', { name: 'Mail' })).getByRole('button', { name: 'Approve' }),
    )
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Mail' })).toBeNull())
    await user.click(within(row('Import')).getByRole('button', { name: 'No' }))
    await screen.findByText('Nothing waits for you')
    expect(bodies()).toMatchObject([
      { checkpoint_name: 'waiting_for_input', input: { approved: true }, input_type: 'json' },
      { input: false, input_type: 'json' },
    ])
  })

  it('removes an answered request from the list and the counts immediately, before refetching', async () => {
    const { user, answers } = await inbox([approval('Mail'), anItem('Import', { input_types: ['boolean'] })])
    const mail = within(await screen.findByRole('region', { name: 'Mail' }))
    answers['GET /input-requests'] = () => new Promise(() => undefined)
    await user.click(mail.getByRole('button', { name: 'Approve' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Mail' })).toBeNull())
    expect(screen.getByText('1 request waits for you')).toBeTruthy()
    expect(row('Import')).toBeTruthy()
  })

  it('refetches the chat of an answered request, even if no chat is on screen', async () => {
    const { user, sent } = await inbox([approval('Mail')])
    const mail = within(await screen.findByRole('region', { name: 'Mail' }))
    await user.click(mail.getByRole('button', { name: 'Approve' }))
    await waitFor(() => expect(sent.some(({ path }) => path === '/sessions/s-Mail')).toBe(true))
  })

  it('offers three choices for an interrupted call [RT-31]', async () => {
    const { user, bodies } = await inbox([anItem('ERP', { kind: 'interrupted', tool })])
    const erp = within(await screen.findByRole('region', { name: 'ERP' }))
    expect(erp.getByText(/“Calculator” had started .* Its result is not known. Run it again\?/)).toBeTruthy()
    expect(erp.getByText('Nothing else was lost')).toBeTruthy()
    const names = erp.getAllByRole('button').map((button) => button.textContent)
    expect(names.slice(0, 3)).toEqual(['Stop here', 'Skip', 'Retry'])
    await user.click(erp.getByRole('button', { name: 'Skip' }))
    await waitFor(() => expect(bodies()).toMatchObject([{ input: 'skip', input_type: 'text' }]))
  })

  it('moves with J and K, approves with A and declines with D, except in a text field [RT-31]', async () => {
    const { bodies } = await inbox([approval('One'), approval('Two'), anItem('Three')])
    await screen.findByRole('region', { name: 'One' })
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'a' })
    fireEvent.keyDown(document.body, { key: 'j' })
    fireEvent.keyDown(document.body, { key: 'd' })
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Two' })).toBeNull())
    expect(bodies()).toMatchObject([{ input: { approved: false } }])
  })

  it('moves the focus with J and K, opens with Enter, and leaves the form with Escape [RT-31]', async () => {
    await inbox([approval('One'), anItem('Two'), approval('Three')])
    await screen.findByRole('region', { name: 'One' })
    const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })
    press('j')
    expect(document.activeElement).toBe(row('Two'))
    press('j')
    expect(document.activeElement).toBe(row('Three'))
    press('k')
    press('k')
    expect(document.activeElement).toBe(row('One'))
    press('Enter')
    const field = await within(row('One')).findByRole('textbox', { name: 'First number' })
    await waitFor(() => expect(document.activeElement).toBe(field))
    press('Escape')
    expect(document.activeElement).toBe(row('One'))
    press('Enter')
    expect(within(row('One')).queryByRole('textbox')).toBeNull()
  })

  it('answers with A: immediately or in its form; the next row gets the focus [RT-31]', async () => {
    const { bodies } = await inbox([anItem('One'), approval('Two'), approval('Three')])
    await screen.findByRole('region', { name: 'One' })
    const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })
    press('a')
    await waitFor(() => expect(document.activeElement?.tagName).toBe('TEXTAREA'))
    press('Escape')
    press('j')
    press('a')
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Two' })).toBeNull())
    expect(bodies()).toMatchObject([{ input: { approved: true } }])
    await waitFor(() => expect(document.activeElement).toBe(row('Three')))
  })

  it('opens a request to be answered in full, and links its chat [RT-31]', async () => {
    const { user } = await inbox([approval('Mail')])
    await user.click(await screen.findByRole('button', { name: 'Open Mail' }))
    expect(within(row('Mail')).getByRole<HTMLInputElement>('textbox', { name: 'First number' }).value).toBe(
      '21',
    )
    expect(within(row('Mail')).getByRole('link', { name: 'Open the chat' }).getAttribute('href')).toBe(
      '/chat/s-Mail',
    )
  })

  it('shows where a run waits for a top-up, and links the bill [RT-31, CK-21]', async () => {
    await inbox([
      unpaid('Bail', { number: 4, begun: false }),
      unpaid('Lease', { number: 2, begun: true }),
      unpaid('Brief'),
    ])
    const bail = within(await screen.findByRole('region', { name: 'Bail' }))
    const rest = 'the balance is used up. It resumes automatically after a top-up.'
    expect(bail.getByText(`Paused before step 4: ${rest}`)).toBeTruthy()
    expect(within(row('Lease')).getByText(`Paused in step 2: ${rest}`)).toBeTruthy()
    expect(within(row('Brief')).getByText(`Paused: ${rest}`)).toBeTruthy()
    expect(bail.getByRole('link', { name: 'Top up' }).getAttribute('href')).toBe('/user/billing')
    expect(bail.getByRole('link', { name: 'Bail' }).getAttribute('href')).toBe('/chat/s-Bail')
    // It can be neither approved nor declined, even by keyboard.
    fireEvent.keyDown(document.body, { key: 'a' })
    expect(screen.getByRole('region', { name: 'Bail' })).toBeTruthy()
  })

  it('filters by assistant in every state, with the filter in the address [RT-31]', async () => {
    const of = (item: InputRequest, id: string | null, name: string | null): InputRequest => {
      return { ...item, assistant_id: id, assistant_name: name }
    }
    const past = anItem('Past', { state: 'provided', input: 'yes' })
    const { user, sent } = await inbox([
      of(anItem('CSRD', { checkpoint_name: 'waiting_for_input_after_step1' }), 'a1', 'CSRD analyst'),
      of(anItem('Plain'), null, null),
      of(anItem('Old'), 'a2', null),
      of({ ...past, state: 'answered', answered_at: '2026-01-01T10:00:00Z' }, 'a1', 'CSRD analyst'),
    ])
    expect(await screen.findByText('CSRD analyst, after step 2')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Assistant: All assistants' }))
    const names = (await screen.findAllByRole('menuitem')).map((entry) => entry.textContent)
    expect(names).toEqual(['All assistants', 'CSRD analyst1', 'Deleted assistant1', 'Without an assistant1'])
    await user.click(screen.getByRole('menuitem', { name: /Without/ }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'CSRD' })).toBeNull())
    expect(await screen.findByRole('region', { name: 'Plain' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Assistant: Without an assistant' }))
    await user.click(await screen.findByRole('menuitem', { name: /CSRD/ }))
    await user.click(screen.getByRole('button', { name: 'Answered' }))
    expect(await screen.findByRole('link', { name: 'Past' })).toBeTruthy()
    expect(sent.at(-1)?.query.toString()).toContain('status=answered')
    expect(sent.at(-1)?.query.get('assistant_id')).toBe('a1')
    expect(screen.getByRole('button', { name: 'Assistant: CSRD analyst' })).toBeTruthy()
  })

  it('opens at the address of a state and an assistant, and links back to all of them [RT-31]', async () => {
    const { user } = await inbox([anItem('Plain')], {}, '/inbox?status=waiting&assistant=a9')
    await user.click(await screen.findByRole('button', { name: 'All assistants' }))
    expect(await screen.findByRole('region', { name: 'Plain' })).toBeTruthy()
  })

  it('shows a question as one plain sentence in its row, even if it is Markdown [RT-31]', async () => {
    await inbox([anItem('CSRD', { input_types: ['boolean'], prompt: 'Which **sites**,\n- and `when`?' })])
    const csrd = within(await screen.findByRole('region', { name: 'CSRD' }))
    expect(csrd.getByText('Which sites, and when?')).toBeTruthy()
  })

  it('loads a long list page by page [RT-31]', async () => {
    const { user } = await inbox(Array.from({ length: 60 }, (_, at) => approval(`Mail ${at}`)))
    expect(await screen.findByText('50 of 60 are shown.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Show more' }))
    expect(await screen.findByRole('region', { name: 'Mail 59' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  })

  it('shows answered requests, says if there are none, and offers a retry [RT-31]', async () => {
    let isDown = true
    const answered: InputRequest = {
      ...anItem('Past', { state: 'provided', input: 'yes' }),
      ...{ state: 'answered', answered_at: '2026-01-01T10:00:00Z' },
    }
    const { user } = await inbox([], {
      'GET /input-requests': ({ query }) => {
        if (isDown) return [400, { detail: 'no', code: 'malformed' }]
        return query.get('status') === 'answered'
          ? { items: [answered], total: 300, assistants: [] }
          : { items: [], total: 0, assistants: [] }
      },
    })
    expect(await screen.findByText('The requests could not be loaded.')).toBeTruthy()
    isDown = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Nothing waits for you')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Answered' }))
    expect((await screen.findByRole('link', { name: 'Past' })).getAttribute('href')).toBe('/chat/s-Past')
    expect(screen.getByText('Provided')).toBeTruthy()
    expect(screen.getByText('1 of 300 are shown.')).toBeTruthy()
  })
})

it("answers the question of a tool outside chats, and links the tool's page [RT-31, SV-33]", async () => {
  const item = { ...anItem('By what', { tool }), session_id: null, session_title: null }
  const { user, bodies } = await inbox([item], {
    'POST /tool-executions/e1/provide-input': () => ({ status: 'accepted' }),
  })
  const row = await screen.findByRole('region', { name: 'Calculator, tried on its page' })
  const link = within(row).getByRole('link', { name: 'Open the tool' })
  expect(link.getAttribute('href')).toBe('/tools/calculator?tried=e1')
  await user.type(within(row).getByRole('textbox', { name: 'Text' }), 'two')
  await user.click(within(row).getByRole('button', { name: 'Send input' }))
  await waitFor(() => expect(bodies()).toEqual([{ input: 'two', input_type: 'text' }]))
})

describe('inbox badge', () => {
  it('counts waiting requests, follows changes, and shows the first ones [RT-31]', async () => {
    let items = [approval('Mail'), anItem('Sites')]
    const user = userEvent.setup()
    await renderPage(<InboxButton />, {
      answers: { 'GET /input-requests': () => ({ items, total: items.length, assistants: [] }) },
    })
    const button = await screen.findByRole('button', { name: 'Inbox, 2 requests wait for you' })
    await user.click(button)
    expect(
      await screen.findByText(
        'Allow “Calculator” to run with First number: 21, Second number: 2?',
        {},
        { timeout: 8000 },
      ),
    ).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Review' }).getAttribute('href')).toBe('/chat/s-Mail')
    items = [unpaid('Bail', { number: 4, begun: false })]
    await act(() => queryClient.invalidateQueries({ queryKey: ['input-requests'] }))
    expect(await screen.findByRole('button', { name: 'Inbox, 1 request waits for you' })).toBeTruthy()
    expect(screen.getByText(/^Paused before step 4/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Top up' }).getAttribute('href')).toBe('/user/billing')
    items = []
    await act(() => queryClient.invalidateQueries({ queryKey: ['input-requests'] }))
    expect(await screen.findByRole('button', { name: 'Inbox', expanded: true })).toBeTruthy()
  })
})

describe('times', () => {
  it("are grouped by the reader's day, in the largest whole unit [RT-31]", () => {
    const now = new Date('2026-01-01T12:00:00')
    const at = (iso: string | null) => anItem('x', { deadline: iso && new Date(iso).toISOString() })
    const groups = groupByDeadline(
      [at('2026-01-01T11:00:00'), at('2026-01-01T23:00:00'), at('2026-01-02T01:00:00'), at(null)],
      now,
    )
    expect(groups.map(({ name, items }) => [name, items.length])).toEqual([
      ['today', 2],
      ['later', 1],
      ['none', 1],
    ])
    expect(spanOf('2026-01-01T11:59:50', now)).toEqual({ value: 1, unit: 'minute' })
    expect(spanOf('2026-01-01T17:30:00', now)).toEqual({ value: 5, unit: 'hour' })
    expect(spanOf('2025-12-29T11:00:00', now)).toEqual({ value: 3, unit: 'day' })
  })
})
