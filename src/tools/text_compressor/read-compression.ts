import * as z from 'zod/mini'
import { CompressedText } from '#shared/knowledge/corpus/corpus.ts'
import type { ToolEvent } from '#shared/runs/runs/blocks.ts'

/** The phases shown on the card (ledger TC-02). */
export const badges = ['analysis', 'summarization', 'final'] as const
export type BadgeState = 'idle' | 'active' | 'done'

const Told = z.object({
  ...{ total_documents: z.optional(z.int()), total_chunks: z.optional(z.int()) },
  ...{ chunk_size: z.optional(z.int()), overlap: z.optional(z.int()) },
  cost: z.optional(z.object({ dollars: z.nullable(z.number()) })),
  sources: z.optional(z.array(z.object({ id: z.string(), name: z.string() }))),
  ...{ wave: z.optional(z.int()), items_in_wave: z.optional(z.int()) },
  ...{ total_items_in_wave: z.optional(z.int()), processed_count: z.optional(z.int()) },
  ...{ content: z.optional(z.string()), response: z.optional(z.string()) },
})
type Told = z.infer<typeof Told>

type Wave = { processed: number; total: number }
type Source = { id: string; name: string; rank: number | null }

/** The known facts about a call, during and after it. */
export type Compression = {
  badges: Record<(typeof badges)[number], BadgeState>
  /** The estimate before the reading; null until then. */
  prep: { documents: number; passages: number; size: number; overlap: number; dollars: number | null } | null
  waves: Wave[]
  response: string
  sources: Source[]
  /** The result; null until the end. */
  result: CompressedText | null
}

/** Derives the state of a call from its events and its result. */
export function readCompression(events: readonly ToolEvent[], result: unknown): Compression {
  const known: Compression = {
    badges: { analysis: 'idle', summarization: 'idle', final: 'idle' },
    ...{ prep: null, waves: [], response: '', sources: [], result: null },
  }
  for (const { phase = '', status = '', data } of events) {
    const told = Told.safeParse(data ?? {}).data
    if (told) hear(known, `${phase} ${status}`, told)
  }
  const whole = CompressedText.safeParse(result).data
  if (!whole) return known
  const { response, sources } = whole
  const done: Compression['badges'] = { analysis: 'done', summarization: 'done', final: 'done' }
  return { ...known, badges: done, response, sources, result: whole }
}

function hear(known: Compression, what: string, told: Told): void {
  const heard = hearing[what]
  if (heard) heard(known, told)
  else if (told.content) {
    reach(known, 'final', 'active')
    known.response += told.content
  }
}

const hearing: Record<string, (known: Compression, told: Told) => void> = {
  'ANALYSIS_PREP started': (known) => reach(known, 'analysis', 'active'),
  'ANALYSIS_PREP completed': (known, told) => {
    reach(known, 'analysis', 'done')
    known.prep = {
      ...{ documents: told.total_documents ?? 0, passages: told.total_chunks ?? 0 },
      ...{ size: told.chunk_size ?? 0, overlap: told.overlap ?? 0, dollars: told.cost?.dollars ?? null },
    }
    known.sources = (told.sources ?? []).map((source) => ({ ...source, rank: null }))
  },
  'RECURSIVE_SUMMARIZATION wave_started': (known, told) =>
    hearWave(known, told.wave, { processed: 0, total: told.items_in_wave ?? 0 }),
  'REDUCTION_WAVE_PROGRESS in_progress': (known, told) =>
    hearWave(known, told.wave, {
      ...{ processed: told.processed_count ?? 0, total: told.total_items_in_wave ?? 0 },
    }),
  'REDUCTION_WAVE wave_completed': (known, told) => {
    const total = known.waves[(told.wave ?? 1) - 1]?.total ?? 1
    hearWave(known, told.wave, { processed: total, total })
  },
  'RECURSIVE_SUMMARIZATION completed': (known) => reach(known, 'summarization', 'done'),
  'FINAL_GENERATION started': (known) => {
    reach(known, 'final', 'active')
    // Text shown before a restart does not count.
    known.response = ''
  },
  'FINAL_GENERATION completed': (known, told) => {
    reach(known, 'final', 'done')
    known.response = told.response ?? known.response
  },
}

/** Parts are read concurrently, so a late event must not lower the count. */
function hearWave(known: Compression, wave = 1, { processed, total }: Wave): void {
  reach(known, 'summarization', 'active')
  const { waves } = known
  const before = waves[wave - 1]?.processed ?? 0
  for (let at = waves.length; at < wave; at += 1) waves.push({ processed: 1, total: 1 })
  waves[wave - 1] = { processed: Math.max(before, processed), total }
}

/** Completes the phases before one that begins. */
function reach({ badges: states }: Compression, badge: (typeof badges)[number], state: BadgeState): void {
  for (const earlier of badges.slice(0, badges.indexOf(badge))) states[earlier] = 'done'
  if (states[badge] !== 'done') states[badge] = state
}

/** Returns the progress of the waves, from 0 to 1. Each counts for half of the previous one (ledger TC-10). */
export const waveProgress = (waves: readonly Wave[]): number =>
  waves.reduce(
    (sum, { processed, total }, at) => sum + (total === 0 ? 0 : processed / total) / 2 ** (at + 1),
    0,
  )

/** Returns the overall progress, from 0 to 1 (ledger TC-09). */
export function overallProgress({ badges: states, waves }: Pick<Compression, 'badges' | 'waves'>): number {
  const { analysis, summarization, final } = states
  if (final === 'done') return 1
  if (final === 'active') return 0.85
  if (summarization === 'done') return 0.75
  if (analysis === 'done') return 0.25 + 0.5 * waveProgress(waves)
  return analysis === 'active' ? 0.125 : 0
}
