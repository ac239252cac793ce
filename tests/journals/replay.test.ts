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
 * A red test here means that runs which wait in installations out there would not go on after an update: their journal
 * is what these files hold. CONTRIBUTING.md tells how the code they were written by is kept.
 */
describe('a journal of weeks ago, by an earlier version of the server', () => {
  it.each(fixtures)('%s goes on where it stood, and comes to the same end', async (_name, fixture) => {
    expect(await takeUp(stage, fixture)).toMatchObject(fixture.outcome)
  })

  it('is there with every kind of record', () => {
    const kinds = fixtures.flatMap(([, { rows }]) => rows.run_records.map(({ kind }) => kind))
    expect([...new Set(kinds)].sort()).toEqual(
      ['answer', 'ask', 'checkpoint', 'end', 'input', 'pause', 'resume', 'started', 'step'].sort(),
    )
  })

  it.each(cases)('is there of $agent $name, also for its newest version', ({ agent, name }) => {
    const file = fileOf(agent, versionOf(stage, agent), name)
    expect(existsSync(file), 'npm run record-journals writes it').toBe(true)
  })
})
