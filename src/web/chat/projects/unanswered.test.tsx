import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import type { UnansweredGroup, UnansweredState } from '#shared/chat/projects/unanswered.ts'
import { prepareBrowser } from '#tests/web/render-app.tsx'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { UnansweredSection } from './settings/unanswered-section.tsx'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(leavePage)

const project = { id: '00000000-0000-4000-8000-00000000000a' } as ProjectDetails
const path = `/projects/${project.id}/unanswered`
const aGroup = (more: Partial<UnansweredGroup> = {}): UnansweredGroup => ({
  ...{ id: '00000000-0000-4000-8000-000000000001', words: ['visitors', 'park'], askers: 7, state: 'open' },
  counted_on: '2026-11-20',
  ...more,
})

it('shows words, people and the day of a group, and marks it as answered or dismisses it [GV-05]', async () => {
  const group = aGroup()
  await renderPage(<UnansweredSection project={project} />, {
    answers: {
      [`GET ${path}`]: () => ({ items: [group] }),
      [`PUT ${path}/${group.id}`]: ({ body }) => {
        group.state = (body as { state: UnansweredState }).state
        return group
      },
    },
  })
  const list = await screen.findByRole('list', { name: 'Unanswered questions' })
  expect(list.textContent).toContain('visitors · park')
  expect(list.textContent).toContain('7 people, counted on 20 Nov 2026')
  await user.click(within(list).getByRole('button', { name: 'Mark as answered: visitors · park' }))
  expect(await within(list).findByText('Answered')).toBeTruthy()
  await user.click(within(list).getByRole('button', { name: 'Open again: visitors · park' }))
  await user.click(await within(list).findByRole('button', { name: 'Dismiss: visitors · park' }))
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Unanswered questions' })).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Show 1 dismissed' }))
  expect((await screen.findByRole('list', { name: 'Unanswered questions' })).textContent).toContain(
    'Dismissed',
  )
})

it('names a group without common words, and leads to the documents of the project [GV-05]', async () => {
  await renderPage(<UnansweredSection project={project} />, {
    answers: { [`GET ${path}`]: () => ({ items: [aGroup({ words: [] })] }) },
  })
  expect(await screen.findByText('Questions without common words')).toBeTruthy()
  const link = screen.getByRole('link', { name: 'Add a document' })
  expect(link.getAttribute('href')).toBe(`/documents/workspace/${project.id}`)
})
