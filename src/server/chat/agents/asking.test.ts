import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readOn } from '#tests/asking.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, type ModelRequest, type Move, says } from '#tests/model-server.ts'
import { goBack, resume } from '#tests/replays.ts'
import { readRun } from '#tests/runs.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

const lastText = ({ messages }: ModelRequest) => JSON.stringify(messages.at(-1)?.content)
const heard = () => chat.model.requests.map(lastText)

async function ask(agent_type: 'multi_turn' | 'plan_and_act') {
  const id = await chat.aSession({ metadata: { agent_type } })
  const stream = await chat.ask(id, 'Go')
  await stream.ended
  const event = stream.events.at(-1)?.event
  return { id, runId: stream.view()?.run_id ?? '', asked: event?.event === 'input_required' ? event : null }
}

const provide = (id: string, checkpoint_name: string, input_type: string, input: unknown = null) =>
  chat.call('POST', `/sessions/${id}/provide-input`, { checkpoint_name, input_type, input })

const form = {
  prompt: 'Which sites, and which file?',
  fields: [
    { name: 'sites', label: 'Sites in scope', type: 'text', required: true },
    { name: 'factors', label: 'Emission factors', type: 'json' },
    { name: 'landlord', label: 'Use the landlord’s readings?', type: 'bool' },
    { name: 'energy', label: 'Energy file', type: 'file' },
    { name: 'plan', label: 'Plan', type: 'image' },
    { name: 'note', label: 'Voice note', type: 'audio' },
    { name: 'walk', label: 'Walk through', type: 'video' },
    { name: 'sites', label: 'Sites again', type: 'text' },
    'Anything else',
    { label: '' },
  ],
}

async function upload(): Promise<{ id: string }> {
  const body = new FormData()
  body.append('file', new Blob(['kWh'], { type: 'text/plain' }), 'energy.txt')
  const { headers } = chat.user
  const answer = await fetch(`${chat.url}/input-files`, { method: 'POST', headers, body })
  return (await answer.json()) as { id: string }
}

describe('a form', () => {
  it('is requested by multi_turn with named fields, each validated by its type [CK-13, CK-16, SE-14]', async () => {
    chat.model.reply([says('I need a few things.'), calls('ask_person', form)], [says('Thank you.')])
    const { id, asked, runId } = await ask('multi_turn')
    expect(asked).toMatchObject({
      ...{ checkpoint_name: 'waiting_for_input_1', prompt: form.prompt, input_types: ['composite'] },
    })
    expect(asked?.fields?.map(({ name, type, required }) => [name, type, required])).toEqual([
      ['sites', 'text', true],
      ...[
        ['factors', 'json', false],
        ['landlord', 'boolean', false],
        ['energy', 'document', false],
        ['plan', 'image', false],
      ],
      ...[
        ['note', 'audio', false],
        ['walk', 'video', false],
        ['Anything else', 'text', false],
      ],
    ])
    const file = await upload()
    const wrong = { factors: '{"gas":', landlord: 'perhaps', plan: file.id, other: 1 }
    const refused = await provide(id, 'waiting_for_input_1', 'composite', wrong)
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toEqual([
      { path: 'input.factors', message: 'This is not valid JSON.' },
      { path: 'input.landlord', message: 'Answer true or false.' },
      { path: 'input.plan', message: 'energy.txt is no image file.' },
      { path: 'input.other', message: 'There is no such field.' },
      { path: 'input.sites', message: 'This field is required.' },
    ])
    expect(await provide(id, 'waiting_for_input_1', 'text', 'Paris')).toMatchObject({ status: 422 })

    const right = { sites: 'Paris', factors: '{"gas": 0.2}', landlord: 'true', energy: file.id }
    expect((await provide(id, 'waiting_for_input_1', 'composite', right)).status).toBe(200)
    expect((await readOn(chat, id)).view()).toMatchObject({ status: 'completed' })
    const told = JSON.parse(JSON.parse(heard().at(-1)!))
    expect(told).toMatchObject({ sites: 'Paris', factors: { gas: 0.2 }, landlord: true })
    expect(told.energy).toMatchObject({ id: file.id, name: 'energy.txt', media_type: 'text/plain' })

    // A replay from after the answer asks nothing again.
    const whole = await readRun(chat.app, runId)
    await goBack(chat, runId, whole.keys.indexOf('answer:waiting_for_input_1') + 1)
    chat.model.reply([says('Thank you.')])
    const again = await resume(chat, runId)
    expect([again.keys, again.reply.content]).toEqual([whole.keys, whole.reply.content])
  })

  it('is requested by a step of plan_and_act; a single field becomes a plain question [CK-13, SE-14]', async () => {
    const steps = says(JSON.stringify({ steps: ['Compare', 'Decide'] }))
    const fields = [{ name: 'budget', label: 'Budget', type: 'json' }]
    chat.model.reply([steps], [calls('ask_person', { prompt: 'How much?', fields })])
    const { id, asked } = await ask('plan_and_act')
    expect(asked).toMatchObject({
      ...{ input_types: ['json'], fields: [{ name: 'budget', label: 'Budget', type: 'json' }] },
    })
    expect((await provide(id, 'waiting_for_input_after_step0', 'json', '[1, 2]')).status).toBe(200)
    await readOn(chat, id)
    expect(heard().at(-1)).toContain('[1,2]')
  })

  it('is shown one at a time, and the model learns of invalid requests [SE-14]', async () => {
    chat.model.reply(
      [calls('ask_person', { prompt: ' ' })],
      [calls('ask_person', { prompt: 'First?' }), calls('ask_person', { prompt: 'Second?' })],
      [says('Enough.')],
    )
    const { id, asked } = await ask('multi_turn')
    expect(heard().at(-1)).toContain('Error: prompt is missing.')
    expect(asked).toMatchObject({ checkpoint_name: 'waiting_for_input_2', prompt: 'First?' })
    await provide(id, 'waiting_for_input_2', 'text', 'Yes.')
    await readOn(chat, id)
    const results = chat.model.requests.at(-1)?.messages.slice(-2)
    expect(results?.map(({ content }) => content)).toEqual(['Yes.', 'Error: ask one question at a time.'])
  })
})

describe('a skipped question', () => {
  const skip = async (agent: 'multi_turn' | 'plan_and_act', ...moves: Move[][]) => {
    chat.model.reply(...moves)
    const { id, asked } = await ask(agent)
    expect(asked).toMatchObject({ skippable: true })
    const before = chat.model.requests.length
    expect((await provide(id, asked!.checkpoint_name, 'skipped')).status).toBe(200)
    const view = (await readOn(chat, id)).view()
    expect(view?.status).toBe('completed')
    const steps = view?.blocks.flatMap((block) => (block.type === 'step' ? [block.description] : []))
    return { steps, said: heard().slice(before) }
  }
  const skipped = 'The person skipped this question. Go on without an answer.'
  const question = { prompt: 'Which day?', skippable: true }

  it('lets multi_turn continue with the information that it was skipped [CK-18, SE-14]', async () => {
    const { said } = await skip('multi_turn', [calls('ask_person', question)], [says('Any day then.')])
    expect(said).toEqual([JSON.stringify(skipped)])
  })

  it('leaves the asking step of plan_and_act as it is, and the plan continues [CK-18, SE-14]', async () => {
    const planned = says(JSON.stringify({ steps: ['Book a table', 'Confirm'] }))
    const asking = [says('No day is known.'), calls('ask_person', question)]
    const { steps, said } = await skip('plan_and_act', [planned], asking)
    expect(steps).toEqual(['Book a table', 'Confirm'])
    expect(said).toHaveLength(2)
    expect(said[0]).toContain(skipped)
  })

  it('of the plan itself lets the plan continue too [CK-18, SE-14]', async () => {
    const planned = says(JSON.stringify({ steps: [{ description: 'Draft', question }, 'Send'] }))
    const { steps, said } = await skip('plan_and_act', [planned])
    expect(steps).toEqual(['Draft', 'Send'])
    expect(said[0]).toContain(skipped)
  })
})
