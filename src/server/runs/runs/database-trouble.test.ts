import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, says } from '#tests/model-server.ts'
import { readRun } from '#tests/runs.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

/** Breaks the connection once, when a record of this kind is written. */
async function breakOnce(kind: string): Promise<void> {
  const { db } = chat.app.deps
  await sql`create sequence breaks`.execute(db)
  await sql`
    create function break_once() returns trigger language plpgsql as $$ begin
      if nextval('breaks') = 1 then
        raise exception 'terminating connection due to administrator command' using errcode = '57P01';
      end if;
      return new;
    end $$`.execute(db)
  await sql`create trigger break_once before insert on run_records for each row
    when (new.kind = ${sql.lit(kind)}) execute function break_once()`.execute(db)
}
const mend = () => sql`drop function break_once cascade; drop sequence breaks`.execute(chat.app.deps.db)

const settled = async (id: string) => {
  await expect
    .poll(async () => (await readRun(chat.app, id)).run.state, { timeout: 10_000 })
    .not.toBe('running')
  return readRun(chat.app, id)
}

describe('a database that becomes unavailable', () => {
  it('while storing a finished reply leads to a retry that finishes it', async () => {
    await breakOnce('end')
    chat.model.always([says('All of it.')])
    const stream = await chat.ask(await chat.aSession(), 'Go')
    await stream.ended
    const { run, reply } = await settled(stream.view()!.run_id)
    await mend()
    expect(run.state).toBe('completed')
    expect(reply).toMatchObject({ content: 'All of it.', status: 'completed' })
  })

  it('while storing a question leads to a retry that asks it', async () => {
    await breakOnce('ask')
    chat.model.always((request) =>
      request.messages.at(-1)?.role === 'tool'
        ? [says('Thanks.')]
        : [calls('ask_person', { prompt: 'Which day?', input_types: ['text'] })],
    )
    const stream = await chat.ask(await chat.aSession(), 'Go')
    await stream.ended
    const { run, session } = await settled(stream.view()!.run_id)
    await mend()
    expect(run.state).toBe('waiting')
    expect(session.pending_input).toMatchObject({ prompt: 'Which day?' })
  })
})
