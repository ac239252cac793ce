import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { aSession, aUser } from '../support/builders.ts'
import { type Case, cases } from './cases.ts'
import { fileOf, type Recorded, writeFixture } from './fixture.ts'
import { beforeTheEnd, PERSON, readRows } from './rows.ts'
import { nameIds } from './stable-ids.ts'
import { openStage, type Stage, versionOf } from './stage.ts'
import { takeUp } from './take-up.ts'

/** `npm run record-journals` writes the missing journals of cases and versions. */
describe('the journals of the agents as they are now', () => {
  it('are recorded, and what was recorded once stays as it is', { timeout: 120_000 }, async () => {
    const past = await openStage({ recorded: true })
    const present = await openStage({ recorded: false })
    for (const one of cases) {
      const file = fileOf(one.agent, versionOf(present, one.agent), one.name)
      if (existsSync(file)) continue
      const recorded = await record(past, one)
      const outcome = await takeUp(present, recorded)
      expect(outcome, file).toMatchObject({
        state: 'completed',
        told: { length: recorded.rest.model.length },
      })
      expect(outcome.keys[recorded.run], file).toEqual(expect.arrayContaining(keysOf(recorded)))
      writeFixture(file, { ...recorded, outcome })
    }
    await Promise.all([past.chat.close(), present.chat.close()])
  })
})

async function record(stage: Stage, { agent, name, record, rest, isFinished }: Case): Promise<Recorded> {
  const { app } = stage.chat
  const person = await aUser(app)
  const session = { modelName: 'compatible/scripted', metadata: { agent_type: agent } }
  const { id: sessionId } = await aSession(app, person, session)
  const run = await record({ ...stage, person, sessionId })
  const rows = await readRows(app, person.id)
  const journal = { run, rows: isFinished ? beforeTheEnd(rows, run) : rows, rest }
  return nameIds(journal, `${agent} ${name}`, new Map([[person.id, PERSON]]))
}

const keysOf = ({ run, rows }: Recorded) =>
  rows.run_records.flatMap(({ run_id, kind, key }) => (run_id === run ? [`${kind}:${key}`] : []))
