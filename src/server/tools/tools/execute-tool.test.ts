import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { AppError } from '#shared/platform/errors.ts'
import type { Block } from '#shared/runs/runs/blocks.ts'
import { type ToolContract, type ToolRun, tool } from '#shared/tools/tools/tool.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { anEngine, aRun, atRest, readRun } from '#tests/runs.ts'
import { executionId } from '../../runs/runs/runs.ts'
import type { ToolOutcome } from './call.ts'
import { executeTool } from './execute-tool.ts'
import { createTools, type Tools } from './tools.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ features: [] })
})
afterAll(() => app.close())

const contract = tool({
  ...{ id: 'probe', name: 'Probe', description: 'A tool of this test.', repeatable: true, limitSeconds: 0.2 },
  input: z.object({ n: z.number(), text: z.optional(z.string()) }),
  output: z.object({ doubled: z.number(), text: z.optional(z.string()) }),
})

const findProbe = (patch: Partial<ToolContract>) => async (id: string) =>
  id === 'probe' ? { contract: { ...contract, ...patch }, schema: {}, hasCard: false } : null

const toolsOf = (run: ToolRun<typeof contract>, patch: Partial<ToolContract>): Tools => ({
  ids: ['probe'],
  load: async () => [{ contract, schema: {}, hasCard: false }],
  find: findProbe(patch),
  read: findProbe(patch),
  pure: async () => [],
  personal: async () => [],
  loadRun: async () => run as ToolRun<ToolContract>,
})

/** Runs one call and returns the model's result, the card, and the stored row. */
async function execute(
  work: ToolRun<typeof contract>,
  input = '{"n":21}',
  tool_id = 'probe',
  patch: Partial<ToolContract> = {},
) {
  let outcome: ToolOutcome | null = null
  const engine = anEngine(app, async (run) => {
    run.input.tools.push({ ...contract, input_schema: {}, policy: 'auto' })
    const execution_id = executionId(run.id, 'k')
    await run.step('announce', async (leaf) =>
      leaf.together(async (trx) => {
        const { user_id, session_id } = run.input
        const row = { id: execution_id, run_id: run.id, user_id, session_id, tool_id, status: 'pending' }
        await trx.insertInto('tool_executions').values(row).execute()
      }),
    )
    outcome = await executeTool({ ...app.deps, tools: toolsOf(work, patch) }, run, {
      key: 'k',
      id: 'k',
      execution_id,
      tool_id,
      input,
    })
  })
  const { id } = await aRun(app, engine)
  await atRest(engine, id)
  const { reply } = await readRun(app, id)
  const row = await app.deps.db
    .selectFrom('tool_executions')
    .selectAll()
    .where('run_id', '=', id)
    .executeTakeFirst()
  return { outcome, card: reply.blocks[0] as Extract<Block, { type: 'tool' }>, row }
}

describe('tools', () => {
  it('are the folders of src/tools, with a JSON schema for models [CA-01]', async () => {
    const tools = createTools()
    expect(tools.ids).toContain('calculator')
    const found = await tools.find('calculator', 'anybody')
    expect(found?.schema).toMatchObject({ type: 'object', required: ['a', 'b', 'operation'] })
    expect(found?.contract.id).toBe('calculator')
    expect(await tools.find('../accounts', 'anybody')).toBeNull()
  })

  it('receive an input of a million characters unchanged [LI-02]', async () => {
    const text = 'é0123456789'.repeat(100_000)
    let received = ''
    const { outcome, card, row } = await execute(
      async (input) => {
        received = input.text ?? ''
        return { doubled: received.length }
      },
      JSON.stringify({ n: 1, text }),
    )
    expect(outcome).toEqual({ ok: true, result: { doubled: text.length } })
    expect(received).toBe(text)
    // The message holds its beginnings, the execution the whole.
    expect(card.input).toEqual({ n: 1, text: `${text.slice(0, 200)}…` })
    expect(card.input_ref).toMatchObject({
      id: card.id,
      bytes: Buffer.byteLength(JSON.stringify({ n: 1, text })),
    })
    expect(row?.input).toEqual({ n: 1, text })
  })

  it('show phases, partial text and result of a call [ST-19]', async () => {
    const { outcome, card, row } = await execute(async ({ n }, context) => {
      context.phase('think', 'processing', { step: 1 })
      context.partial('so ')
      context.partial('far')
      context.phase('think', 'complete')
      return { doubled: n * 2 }
    })
    expect(outcome).toEqual({ ok: true, result: { doubled: 42 } })
    expect(card).toMatchObject({
      tool_name: 'Probe',
      status: 'complete',
      input: { n: 21 },
      result: { doubled: 42 },
    })
    expect(card.events).toContainEqual({
      type: 'probe',
      phase: 'think',
      status: 'processing',
      data: { step: 1 },
    })
    expect(card.events.find(({ type }) => type === 'tool_partial_update')?.data).toEqual({
      content: 'so far',
    })
    expect(row).toMatchObject({ status: 'complete', result: { doubled: 42 }, error: null })
  })

  it.each<[string, ToolRun<typeof contract>, string, string, RegExp]>([
    [
      'a wrong input',
      async () => ({ doubled: 1 }),
      '{"n":"many"}',
      'probe',
      /not valid\. n must be a number/,
    ],
    ['arguments that are no JSON', async () => ({ doubled: 1 }), '{"n":', 'probe', /not valid JSON/],
    [
      'a fault',
      async () => Promise.reject(new TypeError('secret inside')),
      '{"n":1}',
      'probe',
      /^Probe failed unexpectedly\.$/,
    ],
    [
      'a wrong output',
      async () => ({ doubled: 'x' as unknown as number }),
      '{"n":1}',
      'probe',
      /failed unexpectedly/,
    ],
    [
      'a tool that never ends',
      () => new Promise(() => undefined),
      '{"n":1}',
      'probe',
      /longer than 0\.2 seconds/,
    ],
    ['an unknown tool', async () => ({ doubled: 1 }), '{}', 'nothing', /no tool named nothing/],
  ])(
    '%s is an error the model is told, not the end of the run [ST-19]',
    async (_, work, input, id, message) => {
      const { outcome, card, row } = await execute(work, input, id)
      expect(outcome).toMatchObject({ ok: false, error: expect.stringMatching(message) })
      expect(card).toMatchObject({ status: 'error', error: expect.stringMatching(message), result: null })
      expect(row).toMatchObject({ status: 'error', error: expect.stringMatching(message) })
    },
  )
})

it('fail with an explanation if their result is too long, and have their progress texts limited', async () => {
  const text = 'x'.repeat(700_000)
  const long = await execute(async (_, { partial, phase }) => {
    for (let n = 0; n < 20; n++) partial(text)
    for (let n = 0; n < 20; n++) phase('work', 'running', { text })
    return { doubled: 1, text: text + text }
  }, '{"n":1}')
  expect(JSON.stringify(long)).toContain(
    'The result of Probe is longer than 1024 kB. Ask for less at a time.',
  )
  expect(JSON.stringify(long).length).toBeLessThan(2_000_000)
})

it('limit step results of durable tools and reasons of failures like results', async () => {
  const long = 'x'.repeat(1_500_000)
  const step = await execute(
    async (_, context) => ({ doubled: (await context.step('read', async () => long)).length }),
    '{"n":1}',
    'probe',
    { durable: true, limitSeconds: 5 },
  )
  expect(step.outcome).toEqual({
    ok: false,
    error: 'The result of the step “read” of Probe is longer than 1024 kB. Ask for less at a time.',
  })
  const failed = await execute(async () => Promise.reject(new AppError('invalid', long)), '{"n":1}')
  expect(failed.card.error).toBe(`${'x'.repeat(2_000)}…`)
  expect(failed.row?.error).toBe(failed.card.error)
})
