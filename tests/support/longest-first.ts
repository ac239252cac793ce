import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take more than half a minute, most of it waiting. */
const longest = [
  'tests/e2e/accessibility',
  'tests/e2e/nothing-jumps',
  'tests/faults/database',
  'tests/faults/takeover',
  'tests/faults/cron',
  'tests/faults/hang',
  'tests/faults/embedding-model',
  'tests/faults/agents',
  'tests/e2e/input',
  'tests/e2e/checkpoints',
  'src/server/main.',
  'src/server/backup/commands',
  'src/server/db/postgres/postgres.',
]

/** Begins with the longest files: the last to begin would leave the other workers with nothing to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((name) => moduleId.includes(`/${name}`))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
