import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Feedback } from '#shared/chat/feedback/feedback.ts'
import {
  chatAnswers,
  chatPath,
  leaveChat,
  openChatView,
  prepareChat,
  wireId,
} from '#tests/web/chat-builder.tsx'
import { aMessage } from '#tests/web/message-builder.ts'
import type { Answers } from '#tests/web/render-page.tsx'

beforeEach(prepareChat)
afterEach(leaveChat)

const reply = aMessage({ id: wireId, role: 'assistant', content: 'At nine.' })
const path = `${chatPath}/messages/${wireId}/feedback`

function open(given: Partial<Feedback>[] = [], more: Answers = {}) {
  return openChatView(
    chatAnswers(
      [aMessage({ content: 'When?' }), reply],
      {},
      {
        [`GET ${chatPath}/feedback`]: () =>
          given.map((one) => ({ message_id: wireId, reason: null, comment: null, is_shown: false, ...one })),
        [`PUT ${path}`]: ({ body }) => ({ message_id: wireId, ...(body as object) }),
        [`DELETE ${path}`]: () => new Response(null, { status: 204 }),
        ...more,
      },
    ),
  )
}

const thumb = (name: string) => screen.findByRole('button', { name })
const pressed = async (name: string) => (await thumb(name)).getAttribute('aria-pressed')

describe('rating of a reply', () => {
  it('is given with one press and removed with another', async () => {
    const { user, called } = await open()
    await user.click(await thumb('Good answer'))
    expect(await pressed('Good answer')).toBe('true')
    expect(called(`PUT ${path}`)[0]?.body).toEqual({
      ...{ rating: 'up', reason: null, comment: null, is_shown: false },
    })
    await user.click(await thumb('Good answer'))
    expect(await pressed('Good answer')).toBe('false')
    await waitFor(() => expect(called(`DELETE ${path}`)).toHaveLength(1))
  })

  it('counts immediately if it is negative, and may have a reason', async () => {
    const { user, called } = await open()
    await user.click(await thumb('Not a good answer'))
    expect(await pressed('Not a good answer')).toBe('true')
    const form = within(await screen.findByRole('dialog', { name: 'What was wrong with it?' }))
    expect(called(`PUT ${path}`)[0]?.body).toMatchObject({ rating: 'down', reason: null })
    await user.click(form.getByRole('radio', { name: 'Something is missing' }))
    await user.type(form.getByRole('textbox', { name: /In your words/ }), 'Sundays')
    await user.click(form.getByRole('checkbox', { name: /Administrators may see my question/ }))
    await user.click(form.getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(called(`PUT ${path}`)[1]?.body).toEqual({
      ...{ rating: 'down', reason: 'incomplete', comment: 'Sundays', is_shown: true },
    })
  })

  it('is shown with its reason, and can be removed', async () => {
    const { user, called } = await open([{ rating: 'down', reason: 'style', comment: 'Too long' }])
    await waitFor(async () => expect(await pressed('Not a good answer')).toBe('true'))
    await user.click(await thumb('Not a good answer'))
    const form = within(await screen.findByRole('dialog'))
    expect((form.getByRole('radio', { name: 'Tone, length or form' }) as HTMLInputElement).checked).toBe(true)
    expect(form.getByDisplayValue('Too long')).toBeDefined()
    await user.click(form.getByRole('button', { name: 'Take back' }))
    await waitFor(async () => expect(await pressed('Not a good answer')).toBe('false'))
    expect(called(`PUT ${path}`)).toHaveLength(0)
    expect(called(`DELETE ${path}`)).toHaveLength(1)
  })

  it('is not shown as given if it could not be stored', async () => {
    const { user } = await open([], {
      [`PUT ${path}`]: () => Response.json({ detail: 'No room', code: 'other' }, { status: 409 }),
    })
    await user.click(await thumb('Good answer'))
    await waitFor(async () => expect(await pressed('Good answer')).toBe('false'))
    expect(await screen.findByText(/No room/)).toBeDefined()
  })
})
