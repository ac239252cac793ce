import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Belief } from '#shared/chat/beliefs/beliefs.ts'
import { aBranch, aMessage } from '#tests/web/message-builder.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp, theSession } from '#tests/web/render-app.tsx'
import type { Answers } from '#tests/web/render-page.tsx'
import { aSession } from '#tests/web/session-builder.ts'
import { closeChatPanel, openContext, useChatPanel } from '../../platform/lib/chat-panel.ts'
import { messageStore } from '../messages/messages.tsx'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(() => {
  leaveApp()
  closeChatPanel()
})

const session = aSession({ title: 'Lease' })
const inSession = { chat_session_id: session.id }
const [question, reply] = [
  aMessage(inSession),
  aMessage({ ...inSession, role: 'assistant', content: 'Yes.' }),
]
const said = (text: string, message_id = reply.id) => ({ text, message_id })
const belief = (lists: Partial<Belief> = {}, more = {}) => ({
  ...{ goals: [], facts: [], open_questions: [], ...lists },
  ...{ updated_at: '2026-01-01T00:00:00.000Z', message_id: reply.id, is_pending: false, ...more },
})
const lease = {
  goals: [said('Renew the lease', question.id)],
  facts: [said('It ends in May'), said('The rent is 900 EUR')],
  open_questions: [said('Who signs?')],
}

async function open(
  answer: () => unknown,
  { more = {}, language = 'en' as 'en' | 'fr', person = aUser() } = {},
) {
  const answers: Answers = aServer(
    {
      ...theSession(session),
      [`GET /sessions/${session.id}/active-branch`]: () => aBranch([question, reply]),
      [`GET /sessions/${session.id}/belief`]: answer,
      ...more,
    },
    person,
  )
  const app = await renderApp(`/chat/${session.id}`, { token: 't', answers, language })
  await screen.findByText('Yes.')
  openContext()
  const name = language === 'en' ? 'Context' : 'Contexte'
  const panel = within(await screen.findByRole('complementary', { name }))
  const head = await panel.findByRole('button', {
    name: language === 'en' ? /^Working memory/ : /^Mémoire de travail/,
  })
  return { ...app, panel, head }
}

describe('belief section', { timeout: 20_000 }, () => {
  it('is one of the sections, with the number of facts in its header [SH-16]', async () => {
    const { panel, head } = await open(() => belief(lease))
    await waitFor(() => expect(head.textContent).toBe('Working memory2 facts'))
    await user.click(panel.getByRole('button', { name: /^Tools/ }))
    await user.click(head)
    const unfolded = panel.getAllByRole('button', { expanded: true })
    expect(unfolded).toEqual([head])
  })

  it('lists goals, facts and open questions of the session [SH-16]', async () => {
    const { panel, head } = await open(() => belief(lease))
    await user.click(head)
    const texts = async (name: string) =>
      within(await panel.findByRole('list', { name }))
        .getAllByRole('button')
        .map(({ textContent }) => textContent)
    expect(await texts('Goals')).toEqual(['Renew the lease'])
    expect(await texts('Facts')).toEqual(['It ends in May', 'The rent is 900 EUR'])
    expect(await texts('Open questions')).toEqual(['Who signs?'])
  })

  it('links an entry to its message [SH-16]', async () => {
    const { panel, head } = await open(() => belief(lease))
    await user.click(head)
    await user.click(await panel.findByRole('button', { name: 'Renew the lease' }))
    const row = screen.getByText(question.content).closest('article')
    await waitFor(() => expect(document.activeElement).toBe(row))
    await user.click(panel.getByRole('button', { name: 'Who signs?' }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByText('Yes.').closest('article')))
    expect(useChatPanel.getState().shown).toBe('context')
    await waitFor(() => expect(messageStore.getState().target).toBeNull(), { timeout: 4000 })
  })

  it('loads a missing message with the page around it [SH-16]', async () => {
    const oldest = aMessage({ ...inSession, content: 'The beginning' })
    const newest = () => aBranch([question, reply], { total: 4, start: 2, has_more: true })
    const branch = ({ query }: { query: URLSearchParams }) =>
      query.get('around') === oldest.id ? aBranch([oldest], { total: 4 }) : newest()
    const { panel, head } = await open(() => belief({ goals: [said('Begin', oldest.id)] }), {
      more: {
        [`GET /sessions/${session.id}/active-branch`]: branch,
        [`POST /sessions/${session.id}/navigate/${oldest.id}`]: newest,
      },
    })
    await user.click(head)
    await user.click(await panel.findByRole('button', { name: 'Begin' }))
    await waitFor(() => expect(messageStore.getState().order[0]).toBe(oldest.id))
    expect(messageStore.getState().target).toEqual({ id: oldest.id })
  })

  it('is polled until it includes the newest reply [SH-16]', async () => {
    const answers = [
      belief(lease, { is_pending: true }),
      belief({ ...lease, facts: [said('It ends in June')] }),
    ]
    const { panel, head } = await open(() => (answers.length > 1 ? answers.shift() : answers[0]))
    await user.click(head)
    expect(await panel.findByText('The last reply is being worked in…')).toBeTruthy()
    expect(await panel.findByText('It ends in June', {}, { timeout: 8_000 })).toBeTruthy()
    expect(panel.queryByText('The last reply is being worked in…')).toBeNull()
    expect(head.textContent).toBe('Working memory1 fact')
  })

  it('explains its purpose while it is empty, in French [SH-16]', async () => {
    const { panel, head } = await open(() => belief({}, { message_id: null, updated_at: null }), {
      language: 'fr',
      person: aUser({ language: 'fr' }),
    })
    await user.click(head)
    expect(await panel.findByText(/^Rien pour l’instant/)).toBeTruthy()
    expect(head.textContent).toBe('Mémoire de travail')
  })

  it('says that it is switched off, links the setting, and keeps its content [SH-16]', async () => {
    const person = aUser({ preferences: { working_memory: false } })
    const { panel, head } = await open(() => belief(lease), { person })
    await user.click(head)
    expect(await panel.findByText(/^Nothing new is kept/)).toBeTruthy()
    expect(panel.getByRole('link', { name: 'Change the setting' }).getAttribute('href')).toBe(
      '/user/preferences',
    )
    expect(panel.getByText('It ends in May')).toBeTruthy()
  })

  it('can be retried after a failure [SH-16]', async () => {
    let isBroken = true
    const { panel, head } = await open(() =>
      isBroken ? [400, { code: 'malformed', detail: 'no' }] : belief(lease),
    )
    await user.click(head)
    expect(await panel.findByText('The working memory could not be loaded.')).toBeTruthy()
    isBroken = false
    await user.click(panel.getByRole('button', { name: 'Try again' }))
    expect(await panel.findByText('It ends in May')).toBeTruthy()
  })
})
