import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import { Artifact } from '../../../src/web/tools/tools/artifact.tsx'
import { ToolStep } from '../../../src/web/tools/tools/tool-step.tsx'
import { renderPage } from './render-page.tsx'
import { aTool } from './tool-builder.ts'

/** The weather of a place, as returned by its tool. */
export const lyon = {
  ...{ location: 'Lyon, France', temperature: 45, condition: 'Light rain', humidity: 87, wind_speed: 9 },
  ...{ weather_code: 61, is_day: true, observed_at: '2026-11-21T10:00', timezone: 'Europe/Paris', also: [] },
}

/** Returns a finished call of the weather tool. */
export const aCall = (patch: Partial<ToolBlock> = {}): ToolBlock => ({
  ...{ type: 'tool', id: 'call', tool_id: 'weather', tool_name: 'Weather', status: 'complete', error: null },
  ...{ input: { location: 'Lyon' }, result: lyon, events: [], ...patch },
})

/** Location of the tool's interface. */
export const inside = { kind: 'internal' as const, name: 'weather' }
/** The server's answers about the tool. */
export const known = { 'GET /tools/weather': () => aTool({ id: 'weather', ui_location: inside }) }

/** Renders a call as a step of a message. */
export const drawStep = (patch: Partial<ToolBlock> = {}, answers = {}, language = 'en') =>
  renderPage(<ToolStep block={aCall(patch)} />, { language, answers: { ...known, ...answers } })

/** Renders the panel of a call, or of one that is gone. */
export const drawArtifact = (patch: Partial<ToolBlock> | null, answers = {}) =>
  renderPage(<Artifact block={patch && aCall(patch)} id={patch && 'call'} sessionId="s1" />, {
    answers: { ...known, ...answers },
  })
