import type { Agent, RunContext } from '../../src/server/runs/runs/context/run-context.ts'
import type { TestApp } from './app.ts'
import { aGate } from './chat.ts'

export type StepsAgent = {
  agent: Agent
  /** How often each step was executed, by `{run id} {key}`. */
  ran: Map<string, number>
  /** Called at the beginning of every step; a promise holds it there. */
  before: (run: RunContext, step: number) => unknown
}

/** Creates an agent that works in numbered steps with a checkpoint before and after each, like planning agents. */
export function aStepsAgent(steps: number): StepsAgent {
  const script: StepsAgent = {
    ran: new Map(),
    before: () => undefined,
    agent: {
      version: 1,
      run: async (run) => {
        for (let at = 0; at < steps; at++) {
          await run.checkpoint(`step${at}`, 'before_step')
          await run.step(`work:${at}`, async (leaf) => {
            const key = `${run.id} work:${at}`
            script.ran.set(key, (script.ran.get(key) ?? 0) + 1)
            const event = { number: at + 1, description: `Part ${at + 1}`, single_step: false }
            leaf.emit({ event: 'agent_step_started', ...event })
            await script.before(run, at)
            leaf.emit({ event: 'response_chunk', content: `Part ${at + 1} of ${run.id.slice(0, 4)}.\n` })
            leaf.emit({ event: 'agent_step_completed', number: at + 1 })
            const tokens = { cached_tokens: 0, reasoning_tokens: 0, estimated: false }
            const usage = { input_tokens: 100, output_tokens: 10, ...tokens }
            leaf.bill({ model_name: run.input.model_name, reason: 'reply', usage })
          })
          await run.checkpoint(`after_step${at}`, 'after_step')
        }
      },
    },
  }
  return script
}

/** Holds every run in its second step until `gate` opens; `reached` opens once one is there. */
export function holdInSecondStep(steps: StepsAgent) {
  const gate = aGate()
  const reached = aGate()
  steps.before = (_run, step) => {
    if (step !== 1) return undefined
    reached.open()
    return gate.opened
  }
  return { gate, reached }
}

/** Makes a scripted agent answer sessions of the type `plan_and_act`. */
export function scriptAgent({ deps }: TestApp, { agent }: StepsAgent): void {
  deps.engine.agents.plan_and_act = agent
}
