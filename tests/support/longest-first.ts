import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take more than half a minute, most of it waiting; the longest stand first. */
const longest = [
  'tests/e2e/accessibility',
  'tests/e2e/nothing-jumps',
  'tests/faults/database',
  'tests/e2e/input',
  'tests/e2e/new-chats',
  'tests/e2e/passages',
  'tests/faults/agents',
  'tests/faults/takeover',
  'tests/faults/read-whole',
  'tests/faults/tool-kills',
  'tests/e2e/agents',
  'src/server/agents/research/research',
  'tests/faults/cron',
  'tests/faults/hang',
  'tests/faults/embedding-model',
  'tests/e2e/checkpoints',
  'tests/e2e/branches',
  'src/server/access/table',
  'src/server/run-prices/run-prices',
  'src/server/main.',
  'src/server/backup/commands',
  'src/server/db/postgres/postgres.',
]

/** Begins with the longest files: the last to begin would leave the other workers with nothing to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const long = longest.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.includes(`/${name}`)))
    return [...long, ...sorted.filter((file) => !long.includes(file))]
  }
}
