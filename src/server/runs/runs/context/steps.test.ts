import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { say } from '#tests/asking.ts'
import { anAgent, aRun, goOn, play, rested, someUsage, type Work } from '#tests/runs.ts'
import type { Engine } from '../engine.ts'
import { giveAnswer, loadRecords } from '../runs.ts'
import type { RunContext } from './run-context.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ features: [] })
})
afterAll(() => app.close())

const chunk = (content: string) => ({ event: 'response_chunk' as const, content })
const aBill = { model_name: 'atrium/offline', reason: 'reply', usage: someUsage }

describe('a step', () => {
  it('sends emitted events immediately and deferred ones after its commit', async () => {
    const seen: unknown[] = []
    const { run, reply } = await play(app, async (run) => {
      await run.step('one', async (leaf) => {
        seen.push([leaf.hasText(), leaf.textSoFar()])
        leaf.afterwards(chunk('after.'))
        leaf.emit(chunk('First, '))
        leaf.emit(chunk('then '))
        leaf.emit({ event: 'response_stream_end', message_id: run.input.message_id })
        seen.push([leaf.hasText(), leaf.textSoFar()])
      })
      await run.step('two', async (leaf) => {
        leaf.afterwards(chunk(' Never said.'))
        throw new Error('It fails.')
      })
    })
    expect(seen).toEqual([
      [false, ''],
      [true, 'First, then '],
    ])
    expect(reply.content).toBe('First, then after.')
    const records = await loadRecords(app.deps.db, run.id)
    expect(records.find(({ key }) => key === 'one')?.events).toMatchObject([
      { event: 'response_chunk', content: 'First, then ', step_key: 'one', attempt: 1 },
      { event: 'response_stream_end' },
      { event: 'response_chunk', content: 'after.', step_key: 'one', attempt: 1 },
    ])
    expect(run).toMatchObject({ state: 'failed', error: { code: 'broken' } })
    // The step's key shows where the error occurred.
    expect(records.at(-1)?.events).toMatchObject([{ event: 'agent_processing_error', step: 'two' }])
  })

  it('reads the text of its own plan step, or none', async () => {
    const seen: string[] = []
    await play(app, async (run) => {
      await say(run, 'before', 'Outside.')
      for (const number of [1, 2]) {
        await run.scope(`step${number}`, async (inner) => {
          if (number === 1) await say(inner, 'text', 'In one.')
          await inner.step('look', async (leaf) => void seen.push(leaf.textSoFar()))
        })
      }
      await run.step('after', async (leaf) => void seen.push(leaf.textSoFar()))
    })
    expect(seen).toEqual(['In one.', '', 'Outside.'])
  })

  it('stores only valid values: no NUL, and equal after a replay', async () => {
    const values: unknown[] = []
    const { run, reply } = await play(app, async (run) => {
      await run.step('one', async (leaf) => {
        leaf.emit(chunk('a\0b'))
        leaf.afterwards(chunk('c\0'))
        leaf.emit({ event: 'agent_thinking', content: 'as\0it\0is', timestamp: new Date(0).toISOString() })
      })
      values.push(await run.step('two', async () => undefined))
      values.push(await run.step('three', async () => ({ at: new Date(0), none: undefined })))
    })
    expect(run.state).toBe('completed')
    expect(reply.content.replace(/\s/g, '')).toBe('abc')
    expect(reply.blocks).toMatchObject([{ text: 'ab' }, { type: 'thinking', text: 'asitis' }, { text: 'c' }])
    expect(values).toEqual([null, { at: '1970-01-01T00:00:00.000Z' }])
  })

  it('commits extra writes with its record or not at all', async () => {
    const { db } = app.deps
    const id = randomUUID()
    const title = (run: RunContext, to: string, fails = false) =>
      run.step(to, async (leaf) => {
        leaf.together(async (trx) => {
          await trx
            .updateTable('sessions')
            .set({ title: to })
            .where('id', '=', run.input.session_id)
            .execute()
        })
        if (fails) leaf.together(() => Promise.reject(new Error('It cannot be written.')))
      })
    const { run, session, keys } = await play(app, async (run) => {
      await title(run, 'Written')
      await title(run, `Lost ${id}`, true)
    })
    expect(session.title).toBe('Written')
    expect(keys).toEqual(['input:input', 'step:Written', 'end:end'])
    expect(run.state).toBe('failed')
    expect(await db.selectFrom('sessions').select('id').where('title', '=', `Lost ${id}`).execute()).toEqual(
      [],
    )
  })

  it('commits a decision before its consequences, and a resumed run reads it', async () => {
    const found: unknown[] = []
    let isLost = false
    const { engine, run } = await play(app, (run, end) =>
      run.step('ask', async (leaf) => {
        found.push(leaf.decisions())
        await leaf.decide({ model: leaf.decisions().length })
        await leaf.decide({ model: leaf.decisions().length })
        if (!isLost) end('lost')
        isLost = true
      }),
    )
    const { keys } = await goOn(app, engine, run.id)
    expect(found).toEqual([[], [{ model: 0 }, { model: 1 }]])
    expect(keys).toEqual([
      ...['input:input', 'started:ask#1', 'started:ask#2', 'started:ask#3', 'started:ask#4'],
      ...['step:ask', 'end:end'],
    ])
  })

  it('is billed per call, and lost attempts are not charged', async () => {
    const { run, reply } = await play(app, (run) =>
      run.step('one', async (leaf) => {
        leaf.bill({ ...aBill, isLost: true })
        for (const input_tokens of [1, 20, 300])
          leaf.bill({ ...aBill, usage: { ...someUsage, input_tokens } })
      }),
    )
    const entries = await app.deps.db
      .selectFrom('ledger_entries')
      .select(['kind', 'step_key', 'attempt', 'input_tokens', 'session_id'])
      .where('run_id', '=', run.id)
      .orderBy('input_tokens')
      .execute()
    const { session_id } = run
    expect(entries).toEqual([
      { kind: 'usage', step_key: 'one', attempt: 1, input_tokens: 1, session_id },
      { kind: 'absorbed', step_key: 'one', attempt: 0, input_tokens: 7, session_id },
      { kind: 'usage', step_key: 'one#2', attempt: 1, input_tokens: 20, session_id },
      { kind: 'usage', step_key: 'one#3', attempt: 1, input_tokens: 300, session_id },
    ])
    expect(reply.metadata.usage).toMatchObject({ calls: 3, input_tokens: 321, output_tokens: 9 })
  })

  it('refuses repeated keys and scopes, and lists what is done', async () => {
    const known: boolean[] = []
    const { run, keys } = await play(app, async (run) => {
      await run.scope('inner', async (inner) => {
        known.push(inner.isDone('one'))
        await say(inner, 'one', 'x')
        known.push(inner.isDone('one'))
      })
      known.push(run.isDone('one'), run.isDone('inner/one'))
      await say(run, 'two', 'y')
      await run.scope('inner', async () => undefined)
    })
    expect(known).toEqual([false, true, false, true])
    expect(run).toMatchObject({ state: 'failed', error: { code: 'broken' } })
    expect(keys).toEqual(['input:input', 'step:inner/one', 'step:two', 'end:end'])
  })
})

describe('a checkpoint', () => {
  it('is committed once with its kind, and the final one never pauses the run', async () => {
    let isLost = false
    const engine = anAgent(app, async (run, end) => {
      await run.checkpoint('one')
      await run.checkpoint('two', 'before_step')
      await run.step('lost', async () => {
        if (!isLost) end('lost')
        isLost = true
        engine.live.get(run.id)!.pauseRequested = true
      })
      await run.checkpoint('done', 'completed')
    })
    const { id } = await aRun(app, engine)
    await rested(app, engine, id)
    const { run, reply } = await goOn(app, engine, id)
    expect(run.state).toBe('completed')
    const records = await loadRecords(app.deps.db, id)
    expect(records.filter(({ kind }) => kind === 'checkpoint').map(({ events }) => events[0])).toMatchObject([
      { checkpoint_name: 'one', kind: 'checkpoint', message_id: reply.id, attempt: 1 },
      { checkpoint_name: 'two', kind: 'before_step', attempt: 1 },
      { checkpoint_name: 'done', kind: 'completed', attempt: 2 },
    ])
  })
})

describe('an interrupted call that must not run twice', () => {
  const tool = { tool_execution_id: randomUUID(), tool_id: 'mail', tool_name: 'Mail' }
  /** Loses the process in each of the first `losses` calls. */
  const sends =
    (losses: number, made: string[], skipped?: () => Promise<string>): Work =>
    async (run, end) => {
      const work = async () => {
        if (made.push('sent') <= losses) end('lost')
        return 'sent'
      }
      const result = await run.step('send', work, { repeatable: false, tool, skipped })
      await say(run, 'after', `It was ${result}.`)
    }

  async function asked(losses: number, made: string[], skipped?: () => Promise<string>) {
    const { engine, run } = await play(app, sends(losses, made, skipped))
    return { engine, ...(await goOn(app, engine, run.id)) }
  }
  const decide = async (engine: Engine, run_id: string, input: string, at = 1) => {
    await giveAnswer(engine, { run_id, key: `interrupted:send#${at}` }, { input, input_type: 'text' })
    return rested(app, engine, run_id)
  }

  it('is named to the user and skipped on request', async () => {
    const made: string[] = []
    const { engine, run, session } = await asked(1, made, async () => 'left out')
    expect(session.pending_input).toMatchObject({
      ...{
        kind: 'interrupted',
        tool,
        input_types: ['text'],
        checkpoint_name: 'waiting_for_input_interrupted:send#1',
      },
      prompt: '“Mail” had started when the server stopped. Its result is not known. Run it again?',
    })
    const { reply } = await decide(engine, run.id, 'skip')
    expect(reply).toMatchObject({ content: 'It was left out.', status: 'completed' })
    expect(made).toEqual(['sent'])
  })

  it('ends the run on request', async () => {
    const made: string[] = []
    const { engine, run } = await asked(1, made)
    const { run: over, reply } = await decide(engine, run.id, 'stop')
    expect(over.state).toBe('stopped')
    expect(reply.metadata).toMatchObject({ stopped: true })
    expect(made).toEqual(['sent'])
  })

  it('is asked about again when the next attempt is lost too', async () => {
    const made: string[] = []
    const { engine, run } = await asked(2, made)
    await decide(engine, run.id, 'retry')
    const { run: waiting, keys } = await goOn(app, engine, run.id)
    expect(waiting.state).toBe('waiting')
    expect(keys.at(-1)).toBe('ask:interrupted:send#2')
    const { reply } = await decide(engine, run.id, 'retry', 2)
    expect(reply.content).toBe('It was sent.')
    expect(made).toEqual(['sent', 'sent', 'sent'])
  })
})
