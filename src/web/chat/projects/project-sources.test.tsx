import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import type { WorkspaceConnector } from '#shared/knowledge/workspaces/workspace-connectors.ts'
import { prepareBrowser } from '#tests/web/render-app.tsx'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { SourcesSection } from './settings/sources-section.tsx'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(leavePage)

const project = { id: '00000000-0000-4000-8000-00000000000a' } as ProjectDetails
const path = `/workspaces/${project.id}/connectors`

it('chooses the connected sources of a project', async () => {
  const known: WorkspaceConnector[] = [
    { id: '00000000-0000-4000-8000-000000000001', name: 'Contracts', source: 'webdav', is_in: true },
    { id: '00000000-0000-4000-8000-000000000002', name: 'Wiki', source: 'confluence', is_in: false },
  ]
  const sent: unknown[] = []
  await renderPage(<SourcesSection project={project} />, {
    answers: {
      [`GET ${path}`]: () => ({ items: known, total: known.length }),
      [`POST ${path}`]: ({ body }) => {
        sent.push(body)
        const { connector_id, is_in } = body as { connector_id: string; is_in: boolean }
        const one = known.find(({ id }) => id === connector_id) as WorkspaceConnector
        one.is_in = is_in
        return one
      },
    },
  })
  expect(((await screen.findByRole('checkbox', { name: 'Contracts' })) as HTMLInputElement).checked).toBe(
    true,
  )
  const wiki = () => screen.getByRole('checkbox', { name: 'Wiki' }) as HTMLInputElement
  expect(wiki().checked).toBe(false)
  await user.click(wiki())
  await waitFor(() => expect(wiki().checked).toBe(true))
  expect(sent).toEqual([{ connector_id: known[1]?.id, is_in: true }])
})

it('leads to the sources when none is shared', async () => {
  await renderPage(<SourcesSection project={project} />, {
    answers: { [`GET ${path}`]: () => ({ items: [], total: 0 }) },
  })
  const link = await screen.findByRole('link', { name: 'Connect a source' })
  expect(link.getAttribute('href')).toBe('/documents/connectors')
})
