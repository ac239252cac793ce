import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { chatAnswers, chatPath, leaveChat, openChatView, prepareChat } from '#tests/web/chat-builder.tsx'
import { WrittenStream } from '#tests/web/event-builder.ts'
import { aMessage } from '#tests/web/message-builder.ts'
import { keepDraft, readDraft } from '../composer/composer.tsx'
import { quote, targetLanguages } from './write-request.ts'

beforeEach(() => {
  prepareChat()
  Range.prototype.getBoundingClientRect = () => new DOMRect(100, 100, 50, 20)
})
afterEach(() => {
  keepDraft('session-1', '')
  leaveChat()
})

/** Allows for loaded machines. */
const patiently = { timeout: 8_000 }

async function open(session: Partial<Session> = {}) {
  const question = aMessage({ id: 'question-1', role: 'user', content: 'What is it?' })
  const reply = aMessage({
    id: 'reply-1',
    role: 'assistant',
    content: 'The price is 14.90.',
    parent_id: question.id,
  })
  const page = await openChatView(
    chatAnswers([question, reply], session, {
      [`POST ${chatPath}/messages`]: () => new WrittenStream().response,
    }),
  )
  await screen.findByText('The price is 14.90.')
  const select = (text: string) =>
    act(() => document.getSelection()?.selectAllChildren(screen.getByText(text)))
  const sent = () =>
    page.called(`POST ${chatPath}/messages`).map(({ body }) => (body as { content: string }).content)
  return { ...page, select, sent }
}

describe('text selected in a reply', () => {
  it('is quoted into the composer by keyboard', async () => {
    const { select, user } = await open()
    select('The price is 14.90.')
    await screen.findByRole('toolbar', { name: 'Selected text' }, patiently)
    act(() => (document.activeElement as HTMLElement | null)?.blur())
    await user.keyboard('{Tab}')
    expect(document.activeElement?.textContent).toBe('Quote')
    await user.keyboard('{Enter}')
    expect(readDraft('session-1')).toBe('> The price is 14.90.\n\n')
    await waitFor(() => expect(screen.queryByRole('toolbar', { name: 'Selected text' })).toBeNull())
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message' }))
  })

  it('is explained, and translated into the chosen language', async () => {
    const { select, user, sent } = await open()
    select('The price is 14.90.')
    await user.click(await screen.findByRole('button', { name: 'Translate' }, patiently))
    await user.click(await screen.findByRole('menuitem', { name: 'French' }, patiently))
    await waitFor(() =>
      expect(sent()).toEqual(['Translate this passage into French:\n\n> The price is 14.90.']),
    )
  })

  it('has no actions for people who only read the chat', async () => {
    const project: Session['project'] = {
      ...({ id: 'project-1', name: 'Renewals', colour: 'blue', icon: 'folder' } as const),
      ...{ author: 'Ada', is_shared: true, may_write: false },
    }
    const { select } = await open({ project })
    select('The price is 14.90.')
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(screen.queryByRole('toolbar', { name: 'Selected text' })).toBeNull()
  })

  it('has no actions in a question, and after Escape', async () => {
    const { select, user, sent } = await open()
    select('What is it?')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(screen.queryByRole('toolbar', { name: 'Selected text' })).toBeNull()
    select('The price is 14.90.')
    await screen.findByRole('toolbar', { name: 'Selected text' }, patiently)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('toolbar', { name: 'Selected text' })).toBeNull())
    select('The price is 14.90.')
    await user.click(await screen.findByRole('button', { name: 'Explain' }, patiently))
    await waitFor(() =>
      expect(sent()).toEqual(['Explain this passage of your reply:\n\n> The price is 14.90.']),
    )
  })
})

describe('the words of a request', () => {
  it('quote every line', () => {
    expect(quote('a\n\nb')).toBe('> a\n>\n> b')
  })

  it('offer the other language of the interface first', () => {
    expect(targetLanguages('en')[0]).toEqual({ code: 'fr', name: 'French' })
    expect(targetLanguages('fr')[0]).toEqual({ code: 'en', name: 'anglais' })
  })
})
