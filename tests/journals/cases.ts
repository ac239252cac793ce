import { calls, hangs, type Move, says, thinks } from '../support/model-server.ts'
import type { Rest } from './fixture.ts'
import {
  answer,
  atRest,
  execute,
  fork,
  killed,
  killedInLetter,
  open,
  paused,
  policy,
  resumed,
  type Scene,
  say,
  talkMuch,
} from './scene.ts'

/** How to produce a journal. `record` returns its run. */
export type Case = {
  agent: 'single_turn' | 'multi_turn' | 'plan_and_act' | 'orchestrator' | 'deep_research' | 'tool'
  name: string
  rest: Rest
  /** The journal is stored as it was right before the end. */
  isFinished?: true
  record: (scene: Scene) => Promise<string>
}

const multiply = calls('calculator', { a: 21, b: 2, operation: 'multiply' })
const letter = calls('send_letter', { text: 'Dear Sir' })
const booking = (until?: string) => calls('book', { place: 'Chez Léon', ...(until && { until }) })
const question = { prompt: 'Which day?', input_types: ['text'] }
const steps = (...list: unknown[]): Move[] => [says(JSON.stringify({ steps: list }))]
const text = (answer: string) => ({ answer, type: 'text' })
const approved = { answer: { approved: true }, type: 'json' }
const nothing: Rest = { model: [], person: [] }
/** The second part waits for the first, so that the model receives them in a fixed order. */
const divided = steps(
  { description: 'Compute', assistant: 'General assistant' },
  { description: 'Check', assistant: 'General assistant', after: [1] },
)

const researched = async (scene: Scene) => {
  await say(scene, {}, steps('How deep?', 'How wide?'))
  return answer(scene, 'waiting_for_input_plan', 'How deep?\nHow wide?', [says('Deep [1], wide [2].')])
}

export const cases: Case[] = [
  {
    ...{ agent: 'single_turn', name: 'finished', isFinished: true, rest: nothing },
    record: (scene) => say(scene, { tool_choice: 'calculator' }, [multiply], [says('It is ', '42.')]),
  },
  {
    ...{ agent: 'single_turn', name: 'approval' },
    rest: { model: [[says('It is 42.')]], person: [approved] },
    record: async (scene) => {
      await policy(scene, 'calculator')
      return say(scene, { tool_choice: 'calculator' }, [multiply])
    },
  },
  {
    ...{ agent: 'single_turn', name: 'killed' },
    rest: { model: [[says('It went out.')]], person: [text('retry')] },
    record: (scene) => killedInLetter(scene, () => open(scene, { tool_choice: 'send_letter' }, [letter])),
  },
  {
    ...{ agent: 'multi_turn', name: 'finished', isFinished: true, rest: nothing },
    record: (scene) =>
      say(scene, {}, [thinks('Let ', 'me see.'), says('First. '), multiply], [says('It is 42.')]),
  },
  {
    ...{ agent: 'multi_turn', name: 'approval' },
    rest: {
      model: [[says('It is 10.')]],
      person: [
        { answer: { approved: true, arguments: { a: 5, b: 2, operation: 'multiply' } }, type: 'json' },
      ],
    },
    record: async (scene) => {
      await policy(scene, 'calculator')
      return say(scene, {}, [says('May I? '), multiply])
    },
  },
  {
    ...{ agent: 'multi_turn', name: 'question' },
    rest: { model: [[says('Friday it is.')]], person: [text('Friday')] },
    record: (scene) => say(scene, {}, [multiply], [calls('ask_person', question)]),
  },
  {
    ...{ agent: 'multi_turn', name: 'killed' },
    rest: { model: [[says('Both are done.')]], person: [text('skip')] },
    record: (scene) => killedInLetter(scene, () => open(scene, {}, [letter])),
  },
  {
    ...{ agent: 'multi_turn', name: 'tool-asks' },
    rest: { model: [[says('Booked.')]], person: [text('2')] },
    record: (scene) => say(scene, {}, [booking()]),
  },
  {
    ...{ agent: 'multi_turn', name: 'deadline-passed' },
    rest: { model: [[says('Nobody answered.')]], person: [] },
    record: (scene) => say(scene, {}, [booking('ends')]),
  },
  {
    ...{ agent: 'multi_turn', name: 'deadline-with-default' },
    rest: { model: [[says('Booked for four.')]], person: [] },
    record: (scene) => say(scene, {}, [booking('default')]),
  },
  {
    ...{ agent: 'multi_turn', name: 'summarised' },
    rest: { model: [[says('And of rents.')], [says('And of terms.')], [says('As I said.')]], person: [] },
    record: async (scene) => {
      await talkMuch(scene)
      return killed(scene, 2, () => open(scene, {}, [says('They spoke of leases.')], [hangs()]))
    },
  },
  {
    ...{ agent: 'multi_turn', name: 'large-result' },
    rest: { model: [[says('All is well, at length.')]], person: [] },
    record: (scene) => killed(scene, 2, () => open(scene, {}, [calls('read_report', {})], [hangs()])),
  },
  {
    ...{ agent: 'plan_and_act', name: 'finished', isFinished: true, rest: nothing },
    record: async (scene) => {
      const asks = { description: 'Send', question }
      await say(scene, {}, steps('Compute', asks), [multiply], [says('42.')], [says('Sent.')])
      return answer(scene, 'waiting_for_input_after_step1', 'Friday', [says('All done on Friday.')])
    },
  },
  {
    ...{ agent: 'plan_and_act', name: 'question' },
    rest: {
      model: [[says('Friday suits.')], [says('Decided.')], [says('All done.')]],
      person: [text('Friday')],
    },
    record: (scene) =>
      say(scene, {}, steps('Compare', 'Decide'), [multiply], [calls('ask_person', question)]),
  },
  {
    ...{ agent: 'plan_and_act', name: 'paused' },
    rest: { model: [[says('Decided.')], [says('All done.')]], person: ['resume'] },
    record: (scene) => paused(scene, steps('Compare', 'Decide')),
  },
  {
    ...{ agent: 'plan_and_act', name: 'killed' },
    rest: { model: [[says('Sent.')], [says('All done.')]], person: [text('retry')] },
    record: async (scene) => {
      await paused(scene, steps('Compare', 'Send'))
      return killedInLetter(scene, () => resumed(scene, [letter]))
    },
  },
  {
    ...{ agent: 'plan_and_act', name: 'fork' },
    rest: { model: [[says('Decided otherwise.')], [says('All done again.')]], person: [] },
    record: async (scene) => {
      const said = [[multiply], [says('42.')], [says('Decided.')], [says('All done.')]]
      await say(scene, {}, steps('Compare', 'Decide'), ...said)
      return killed(scene, 1, () => fork(scene, 'after_step0', [hangs()]))
    },
  },
  {
    ...{ agent: 'orchestrator', name: 'finished', isFinished: true, rest: nothing },
    record: (scene) =>
      say(scene, {}, divided, [multiply], [says('42.')], [says('Checked.')], [says('Together.')]),
  },
  {
    ...{ agent: 'orchestrator', name: 'part-waits' },
    rest: { model: [[says('Checked on Friday.')], [says('Together.')]], person: [text('Friday')] },
    record: (scene) => say(scene, {}, divided, [multiply], [says('42.')], [calls('ask_person', question)]),
  },
  {
    ...{ agent: 'orchestrator', name: 'part-killed' },
    rest: { model: [[says('It went out.')], [says('Together.')]], person: [text('retry')] },
    record: (scene) =>
      killedInLetter(scene, () => open(scene, {}, divided, [multiply], [says('42.')], [letter])),
  },
  {
    ...{ agent: 'deep_research', name: 'finished', isFinished: true, rest: nothing },
    record: researched,
  },
  {
    ...{ agent: 'deep_research', name: 'plan-waits' },
    rest: { model: [[says('So deep [1].')]], person: [text('How deep?')] },
    record: (scene) => say(scene, {}, steps('How deep?', 'How wide?')),
  },
  {
    ...{ agent: 'deep_research', name: 'one-again' },
    rest: { model: [[says('So deep [1], so wide [2].')]], person: [text('1: How deep since May?')] },
    record: async (scene) => {
      await researched(scene)
      return atRest(scene, await fork(scene, 'after_step1'))
    },
  },
  {
    ...{ agent: 'tool', name: 'tool-asks', rest: { model: [], person: [text('2')] } },
    record: (scene) => execute(scene, 'book', { place: 'Chez Léon' }),
  },
  {
    ...{ agent: 'tool', name: 'killed', rest: { model: [], person: [text('retry')] } },
    record: (scene) => killedInLetter(scene, () => execute(scene, 'send_letter', { text: 'Dear Sir' })),
  },
]
