import type { RunEvent, RunEventBody } from '#shared/runs/runs/events.ts'

/** A recorded run: the server's events in order, folded by the same reducer as chats. */
export type Recording = { name: string; events: RunEvent[] }

const at = (second: number) => new Date(Date.UTC(2026, 9, 14, 14, 7, second)).toISOString()

function record(name: string, agent_type: string, bodies: RunEventBody[]): Recording {
  const origin = { run_id: `run-${name}`, step_key: null, attempt: 1 }
  const started: RunEventBody<'agent_processing_started'> = {
    ...{ event: 'agent_processing_started', session_id: 'gallery', message_id: `reply-${name}` },
    ...{ user_message_id: `question-${name}`, agent_type, model_name: 'openai/gpt-4o', timestamp: at(0) },
  }
  return { name, events: [started, ...bodies].map((body) => ({ ...origin, ...body }) as RunEvent) }
}

const chunks = (text: string): RunEventBody[] =>
  (text.match(/[\s\S]{1,12}/g) ?? []).map((content) => ({ event: 'response_chunk', content }))

const thinks = (text: string, from: number): RunEventBody[] =>
  (text.match(/\S+\s*/g) ?? []).map((content, index) => ({
    event: 'agent_thinking',
    content,
    timestamp: at(from + Math.floor(index / 3)),
  }))

const calculator = (status: string, more: object = {}): RunEventBody => ({
  event: 'tool_update',
  tool_execution_id: 'calculation',
  tool_id: 'calculator',
  tool_name: 'calculator',
  type: status === 'pending' ? 'tool_start' : 'tool_update',
  data: { status, ...more },
})

const step = (number: number, description: string): RunEventBody => ({
  event: 'agent_step_started',
  number,
  description,
  single_step: false,
})

const checkpoint = (number: number): RunEventBody => ({
  event: 'checkpoint_created',
  id: `checkpoint-${number}`,
  message_id: 'reply',
  checkpoint_name: `after_step${number - 1}`,
  kind: 'after_step',
  created_at: at(number * 10),
})

const done: RunEventBody = {
  event: 'agent_processing_complete',
  message_id: 'None',
  stopped: false,
  timestamp: at(50),
}

const inputs = { a: 612_400, b: 41_100, operation: 'divide' }

export const plain = record('plain', 'single_turn', [
  ...chunks(
    'Kessler combines the **highest cost** per square metre with the weakest exit clause. Its term ends on 31 March 2027, but notice must be sent three months earlier, so this window closes first.\n\n- **Price:** 14.90 € per m²\n- **Indexation:** applied twice in 2026\n- **Exit:** no break option',
  ),
  done,
])

export const calculation = record('calculation', 'multi_turn', [
  ...thinks(
    'The area is given in square metres, so the division is all that is needed. The calculator is exact.',
    1,
  ),
  calculator('pending', { input: inputs }),
  calculator('complete', { result: { result: 14.9002433 } }),
  ...chunks('That is **14.90 €** per square metre.'),
  done,
])

export const planned = record('planned', 'plan_and_act', [
  step(1, 'Read the contract and its two amendments'),
  ...thinks('Two amendments change the price, one the term.', 3),
  { event: 'agent_step_completed', number: 1 },
  checkpoint(1),
  step(2, 'Compute the price per square metre'),
  calculator('pending', { input: inputs }),
  calculator('complete', { result: { result: 14.9002433 } }),
  { event: 'agent_step_completed', number: 2 },
  checkpoint(2),
  step(3, 'Check 2027 market rates for maintenance'),
  { event: 'agent_step_progress', number: 3, progress: 62, message: '5 of 8 award notices read' },
  {
    ...{ event: 'agent_progress', progress: 40, step_name: 'Check 2027 market rates for maintenance' },
    planned: [
      { number: 4, description: 'Draft the negotiation brief' },
      { number: 5, description: 'Check figures' },
    ],
  },
])

export const answered = record('answered', 'plan_and_act', [
  ...planned.events.slice(1),
  { event: 'agent_step_completed', number: 3 },
  checkpoint(3),
  ...chunks(
    'Comparable lots were awarded between 11.20 and 13.80 € per m² a year. At 14.90 €, Kessler sits 8 % above the highest of them.',
  ),
  done,
])

const part = (number: number, bodies: RunEventBody[]) =>
  bodies.map((body) => ({ ...body, step_key: `step${number}/sub${number}.model:1` }))

export const divided = record('divided', 'orchestrator', [
  step(1, 'Analyst: Compute the price per square metre'),
  step(2, 'Researcher: Find comparable award notices'),
  step(3, 'Researcher: Check the indexation rule'),
  ...part(1, [
    ...thinks('The price is that of the whole year, so it is divided by the area of all sites.', 2),
    calculator('pending', { input: inputs }),
    calculator('complete', { result: { result: 14.9002433 } }),
  ]),
  { event: 'agent_step_progress', number: 1, progress: 100, message: 'Kessler costs **14.90 €** per m².' },
  { event: 'agent_step_completed', number: 1 },
  ...part(2, thinks('Public award notices are a better yardstick than what vendors write.', 4)),
  {
    ...{ event: 'agent_step_progress', number: 2, progress: 40 },
    message: '…lots of the same size were awarded between 11.20 and 13.80 € per m² in 2026, and the',
  },
  { event: 'agent_step_progress', number: 3, progress: null, message: 'The provider does not answer.' },
  { event: 'agent_step_completed', number: 3, failed: true },
  {
    ...{ event: 'agent_progress', progress: 67, step_name: 'Researcher: Find comparable award notices' },
    planned: [{ number: 5, description: 'Analyst: Compare both' }],
  },
  step(4, 'Analyst: Estimate the cost of leaving'),
  ...part(4, thinks('Leaving before the term costs a notice of three months, and', 9)),
])

export const failed = record('failed', 'multi_turn', [
  ...chunks('The draft letter is ready. Now the supplier record is'),
  {
    event: 'agent_processing_error',
    message_id: 'None',
    error: 'The provider closed the connection before the answer was complete.',
    code: null,
    traceback:
      'ProviderError: socket hang up\n    at streamModel (openai-chat.ts:88)\n    at answer (multi-turn.ts:41)',
    step: 'Update supplier record',
    timestamp: at(31),
  },
])

export const failedTool = record('failed-tool', 'multi_turn', [
  calculator('pending', { input: { ...inputs, b: 0 } }),
  calculator('failed', { error: 'Division by zero.' }),
  ...chunks('A division by zero has no result. Which area did you mean?'),
  done,
])

const weather = (status: string, more: object = {}): RunEventBody => ({
  event: 'tool_update',
  ...{ tool_execution_id: `weather-${status}`, tool_id: 'weather', tool_name: 'Weather', type: 'weather' },
  data: { status, input: { location: 'Lyon' }, ...more },
})

export const conditions = record('weather', 'multi_turn', [
  weather('pending', { input: undefined }),
  weather('processing'),
  weather('complete', {
    result: {
      ...{ location: 'Lyon, Auvergne-Rhône-Alpes, France', temperature: 45, condition: 'Light rain' },
      ...{ humidity: 87, wind_speed: 9, weather_code: 61, is_day: true, timezone: 'Europe/Paris' },
      ...{ observed_at: '2026-11-21T10:00', also: ['Lyon, Mississippi, United States'] },
    },
  }),
  weather('error', { error: 'No place named “Lyon” was found. Try the name of a town.' }),
  done,
])

/** A tool without a card of its own: phases, text that grows, inputs. */
export const otherTool = record('other-tool', 'multi_turn', [
  {
    event: 'tool_update',
    ...{ tool_execution_id: 'other', tool_id: 'web_lookup', tool_name: 'web_lookup', type: 'web_lookup' },
    data: { status: 'processing', input: { query: 'HVAC maintenance rates 2027' } },
  },
  ...(['SEARCH', 'READING'] as const).map(
    (phase): RunEventBody => ({
      event: 'tool_update',
      ...{ tool_execution_id: 'other', tool_id: 'web_lookup', tool_name: 'web_lookup', type: 'web_lookup' },
      data: { phase, status: phase === 'SEARCH' ? 'complete' : 'processing' },
    }),
  ),
  {
    event: 'tool_partial_update',
    tool_execution_id: 'other',
    content: 'Comparable lots were awarded between',
  },
])

export const running = record('running', 'multi_turn', [
  ...thinks('The calculator should do this.', 1),
  calculator('pending', { input: inputs }),
  calculator('processing'),
])

export const waiting = record('waiting', 'multi_turn', [
  ...chunks('Two suppliers fit.'),
  {
    event: 'input_required',
    id: 'ask',
    checkpoint_name: 'waiting_for_input',
    prompt: 'Which lot should be negotiated first, **lot 1** or **lot 3**?',
    input_types: ['text'],
    deadline: at(59),
    created_at: at(20),
  },
])

const pauses = (reason: 'request' | 'balance'): RunEventBody => ({
  event: 'agent_task_paused',
  checkpoint_name: 'after_step1',
  timestamp: at(30),
  reason,
})

export const pausedRun = record('paused', 'plan_and_act', [
  step(1, 'Rank suppliers by spend'),
  { event: 'agent_step_completed', number: 1 },
  checkpoint(1),
  step(2, 'Estimate savings per supplier'),
  { event: 'agent_step_completed', number: 2 },
  checkpoint(2),
  pauses('request'),
])

export const unpaid = record('unpaid', 'plan_and_act', [...pausedRun.events.slice(1, -1), pauses('balance')])

export const stopped = record('stopped', 'single_turn', [
  ...chunks('The first of the four contracts ends on'),
  { event: 'agent_processing_complete', message_id: 'None', stopped: true, timestamp: at(9) },
])

export const markdown = record('markdown', 'single_turn', [
  ...chunks(`# Renewal note, 2027

Plain text with **bold**, *italic*, ***both***, ~~14.90 €~~ struck out, \`ICHT-IME\` as code, <kbd>Ctrl</kbd> <kbd>K</kbd> as keys, a [link to the contract](https://example.com) and a footnote[^1]. Inline math reads $P = P_0 (0.15 + 0.85 S / S_0)$ without moving the line; prices such as $5 and $6 stay prices.

## Scope

- Four frame contracts, seven sites, 128 000 m²
  - Lot 1 and 2: Kessler Technik
    - Paris 8e, Part-Dieu
  - Lot 3: Dalkorne
- Out of scope: Marseille, sold in March

### Order of work

1. Send notice to Kessler before 31 December 2026.
2. Open the claim:
   1. invoice F-2026-0781, 10 908 €;
   2. night call-outs, Paris 8e.
3. Ask Dalkorne for a bridge offer.

#### Checklist

- [x] Contracts and amendments read
- [x] Invoices matched, 1 204 lines
- [ ] Notice letter signed by the CFO

## Figures

| Supplier | Annual cost | € / m² | Term ends | Exit |
| --- | ---: | ---: | --- | --- |
| Kessler Technik | 612 400 € | 14.90 | 31 Mar 2027 | None |
| Dalkorne | 488 150 € | 12.60 | 30 Jun 2027 | 24 months |
| Servia Énergie | 395 700 € | 12.10 | 30 Sep 2027 | 24 months |

| Site | Area, m² | Invoiced, € | Target, € | Lot | Supplier | Term ends | € / m² now | € / m² asked | Saving, € | Notice |
| --- | ---: | ---: | ---: | --- | --- | --- | ---: | ---: | ---: | --- |
| Paris 8e | 8 400 | 125 160 | 108 360 | L1 | Kessler | 31 Mar 2027 | 14.90 | 12.90 | 16 800 | Yes |
| Part-Dieu | 7 900 | 117 710 | 101 910 | L2 | Kessler | 31 Mar 2027 | 14.90 | 12.90 | 15 800 | Yes |
| Lille | 8 600 | 108 360 | – | L3 | Dalkorne | 30 Jun 2027 | 12.60 | – | – | No |

## Method

The price is revised once a year, on the anniversary month:

$$
P_n = P_0 \\left( 0{,}15 + 0{,}85\\, \\frac{S_n}{S_0} \\right), \\qquad \\Delta = \\sum_{i=1}^{7} \\left( B_i - P_n A_i \\right) = 65\\,343 \\text{ EUR}
$$

\`\`\`python
def revise(price, index, base):
    return price * (0.15 + 0.85 * index / base)  # article 9.2
\`\`\`

\`\`\`typescript
type Site = { name: string; area: number; invoiced: number }

export const gap = (sites: Site[], rate: number) =>
  sites.map((s) => ({ ...s, gap: s.invoiced - rate * s.area })).filter((s) => s.gap > 0)
\`\`\`

\`\`\`sql
select site, sum(amount) as invoiced from invoices
where supplier = 'Kessler' and billed_at >= '2026-01-01'
group by site order by invoiced desc;
\`\`\`

## Clauses and pictures

> « 9.2 Les prix sont révisés une fois par an, à la date anniversaire du contrat. Aucune révision intermédiaire n’est admise. »

![Boiler house in Metz](https://example.com/boiler.jpg)

HTML stays text: <script>alert('no')</script> and <b>bold</b>.

---

[^1]: Surfaces par site 2026.xlsx, sheet 1, measured in January.
`),
  done,
])
