import { screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { prepareBrowser } from '#tests/web/render-app.tsx'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { aTool } from '#tests/web/tool-builder.ts'
import { Artifact } from '../artifact.tsx'
import { ToolStep } from '../tool-step.tsx'

beforeEach(() => prepareBrowser())
afterEach(leavePage)

const aBlock = (tool_id: string): ToolBlock => ({
  ...{ type: 'tool', id: 'call', tool_id, tool_name: 'Zeppelin', status: 'complete', error: null },
  ...{ input: { location: 'Lyon' }, events: [] },
  result: {
    ...{ location: 'Lyon, France', temperature: 45, condition: 'Light rain', humidity: 87, wind_speed: 9 },
    ...{
      weather_code: 61,
      is_day: true,
      observed_at: '2026-11-21T10:00',
      timezone: 'Europe/Paris',
      also: [],
    },
  },
})
const tool = (ui_location: Tool['ui_location']): Answers => ({
  'GET /tools/zeppelin': () => aTool({ id: 'zeppelin', ui_location }),
  'GET /tools/weather': () => aTool({ id: 'weather', ui_location }),
})
const step = (answers: Answers, id = 'zeppelin') => renderPage(<ToolStep block={aBlock(id)} />, { answers })
const artifact = (answers: Answers) =>
  renderPage(<Artifact block={aBlock('zeppelin')} id="call" sessionId="s1" />, { answers })

describe("a tool's interface", () => {
  it('is looked up by name in the registry when internal, in the chat and next to it [TO-06]', async () => {
    const answers = tool({ kind: 'internal', name: 'weather' })
    const { unmount } = await step(answers)
    expect(await screen.findByText('45 °F')).toBeTruthy()
    unmount()
    await artifact(answers)
    expect(await screen.findByText('45 °F')).toBeTruthy()
  })

  it('shows a placeholder for an unknown component without losing data [TO-06]', async () => {
    const words = /own view, “airship”, is not part of this version/
    const answers = tool({ kind: 'internal', name: 'airship' })
    const { unmount } = await step(answers)
    expect(await screen.findByText(words)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Result' })).toBeTruthy()
    unmount()
    await artifact(answers)
    expect(await screen.findByText(words)).toBeTruthy()
  })

  it('is absent for a tool that names none, whatever the tool is called [TO-06]', async () => {
    await step(tool(null), 'weather')
    expect(await screen.findByRole('button', { name: 'Result' })).toBeTruthy()
    expect(screen.queryByText('45 °F')).toBeNull()
    expect(screen.queryByText(/own view/)).toBeNull()
  })
})
