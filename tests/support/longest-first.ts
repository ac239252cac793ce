import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longer than 15 seconds, mostly waiting; the longest first. */
const longest = [
  'tests/faults/action-kills',
  'tests/e2e/nothing-jumps',
  'tests/e2e/accessibility',
  'tests/e2e/passages',
  'tests/faults/injected-texts',
  'tests/faults/takeover',
  'tests/e2e/tool-interfaces',
  'tests/faults/hang',
  'tests/e2e/onboarding',
  'tests/e2e/new-chats',
  'tests/faults/database',
  'tests/e2e/viewers',
  'tests/e2e/input',
  'tests/e2e/diagrams',
  'tests/e2e/tools',
  'tests/e2e/embeds',
  'tests/faults/read-whole',
  'tests/e2e/branches',
  'tests/e2e/checkpoints',
  'tests/e2e/agents',
  'tests/e2e/data-classes',
  'tests/faults/agents',
  'tests/faults/embedding-model',
  'src/server/platform/access/table',
  'src/server/models/data-classes/pairs',
  'src/server/main.',
  'src/server/knowledge/web-search/web-search',
  'src/web/lifecycle/onboarding/onboarding',
  'src/server/models/models/offline/everyday',
  'src/server/lifecycle/health/parts',
  'src/server/chat/sessions/search-store',
  'src/server/runs/streams/readers',
  'src/server/knowledge/rag/citation-bench',
  'src/server/platform/db/postgres/postgres.',
]

/** Starts the longest files first, because a late one would leave the other workers idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const long = longest.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.includes(`/${name}`)))
    return [...long, ...sorted.filter((file) => !long.includes(file))]
  }
}
