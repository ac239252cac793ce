import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cases } from './cases.ts'
import { fileOf, readFixtures } from './fixture.ts'
import { openStage, type Stage, versionOf } from './stage.ts'
import { takeUp } from './take-up.ts'

const fixtures = readFixtures()

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ recorded: false })
})
afterAll(() => stage.chat.close())

/*
 * A failure here means that waiting runs of existing installations would not continue after an update, because these files
 * are their journals. CONTRIBUTING.md describes how to keep the code that wrote them.
 */
describe('journal of an earlier version of the server', () => {
  it.each(fixtures)('%s resumes where it stopped, and has the same outcome', async (_name, fixture) => {
    expect(await takeUp(stage, fixture)).toMatchObject(fixture.outcome)
  })

  it('exists for every kind of record', () => {
    const kinds = fixtures.flatMap(([, { rows }]) => rows.run_records.map(({ kind }) => kind))
    expect([...new Set(kinds)].sort()).toEqual(
      ['answer', 'ask', 'checkpoint', 'end', 'input', 'pause', 'resume', 'started', 'step'].sort(),
    )
  })

  it.each(cases)('exists for $agent $name in its newest version', ({ agent, name }) => {
    const file = fileOf(agent, versionOf(stage, agent), name)
    expect(existsSync(file), 'npm run record-journals writes it').toBe(true)
  })
})
