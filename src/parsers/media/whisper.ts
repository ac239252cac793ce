import { type Job, Unreadable } from '../elements/port.ts'
import { rounded, type Segment } from './segment.ts'
import { SAMPLE_RATE } from './sound.ts'
import { findWhisper, WHISPER } from './whisper-files.ts'
import { type Heard, segmentsOf } from './whisper-segments.ts'

/** Seconds that the model processes together. */
export const WINDOW_SECONDS = 30
/** Seconds of one step of the model's attention. */
const STEP = 0.02
/** Maximum tokens of a window. */
const TOKENS_MAX = 440
/** A window has no speech if the probability of silence is above this and the mean confidence below `UNSURE`. */
const NOBODY_SPEAKS = 0.6
const UNSURE = 0.55
/** Sequences of this many tokens must not repeat when a window is transcribed again after a loop. */
const MAX_REPEAT_TOKENS = 6
const TEXT_TOKENS = 50_257
const START = 50_258
const NO_SPEECH = 50_362
/** The token in front of previous text. */
const BEFORE = 50_361
const TRANSCRIBE = 50_359
/** Maximum tokens of previous text: half of the model's context. */
const PROMPT_MAX = 223

export type Whisper = {
  /** Transcribes samples that begin at `offset` seconds of the recording. */
  transcribe(samples: Float32Array, offset: number): Promise<Segment[]>
}

/** Loads Whisper base with 8-bit weights. It needs 1.5 GB during transcription. @throws Unreadable if its packages are missing */
export async function openWhisper(speech?: Job['settings']['speech']): Promise<Whisper> {
  const folder = await findWhisper()
  const t = await import('@huggingface/transformers').catch((cause) => {
    throw new Unreadable('package_missing', { package: '@huggingface/transformers' }, { cause })
  })
  t.env.allowRemoteModels = false
  t.env.localModelPath = folder
  // The library warns about intended behaviour.
  t.env.logLevel = t.LogLevel.ERROR
  const processor = await t.AutoProcessor.from_pretrained(WHISPER, {})
  const tokenizer = await t.AutoTokenizer.from_pretrained(WHISPER)
  const session_options = { enableCpuMemArena: false, enableMemPattern: false, intraOpNumThreads: 1 }
  const model = await t.WhisperForConditionalGeneration.from_pretrained(WHISPER, {
    dtype: 'q8',
    session_options,
  })
  // Passes the output of the encoder, which would otherwise run twice.
  model.forward_params = [...model.forward_params, 'encoder_outputs']
  const languages = Object.entries((model.generation_config as unknown as Settings).lang_to_id)
  const sums = new Map<string, number>()
  const named = languages.find(([name]) => name === `<|${speech?.language}|>`)
  const prompt = speech?.prompt
    ? tokenizer.encode(` ${speech.prompt.trim()}`, wordsAlone).slice(-PROMPT_MAX)
    : []
  /** Returns the requested language, else the most likely one of all windows so far. */
  const language = () =>
    speech?.language && named
      ? speech.language
      : [...sums].reduce((best, one) => (one[1] > best[1] ? one : best), ['en', Number.NEGATIVE_INFINITY])[0]

  const idOf = (code: string) => languages.find(([name]) => name === `<|${code}|>`)?.[1] ?? 0

  /** Returns the probability of silence (0 to 1) at the first step, which also detects the language. */
  const listen = async (input_features: unknown, encoder_outputs: unknown): Promise<number> => {
    const decoder_input_ids = new t.Tensor('int64', BigInt64Array.of(BigInt(START)), [1, 1])
    const { logits } = await model({ input_features, encoder_outputs, decoder_input_ids })
    const chances = softmax(logits.data as Float32Array)
    for (const [name, token] of languages) {
      const code = name.slice(2, -2)
      sums.set(code, (sums.get(code) ?? 0) + Math.log(Math.max(chances[token] ?? 0, 1e-9)))
    }
    return chances[NO_SPEECH] ?? 0
  }

  const write = async (
    inputs: unknown,
    encoder_outputs: unknown,
    num_frames: number,
    no_repeat_ngram_size = 0,
  ): Promise<Heard[]> => {
    const confidences: number[] = []
    class Watch extends t.LogitsProcessor {
      override _call(_: bigint[][], logits: InstanceType<typeof t.Tensor>) {
        confidences.push(largestOf(softmax((logits.data as Float32Array).subarray(0, TEXT_TOKENS))))
        return logits
      }
    }
    const logits_processor = new t.LogitsProcessorList()
    logits_processor.push(new Watch())
    const wanted = {
      language: language(),
      task: 'transcribe',
      return_timestamps: true,
      return_token_timestamps: true,
    }
    const call = {
      ...wanted,
      inputs,
      encoder_outputs,
      logits_processor,
      num_frames,
      max_new_tokens: TOKENS_MAX - prompt.length,
      no_repeat_ngram_size,
      ...(prompt.length > 0 && {
        decoder_input_ids: [BEFORE, ...prompt, START, idOf(wanted.language), TRANSCRIBE],
      }),
    }
    const answer = (await model.generate(call as never)) as unknown as Answer
    const tokens = (answer.sequences.tolist()[0] ?? []).map(Number)
    const times = answer.token_timestamps.tolist()[0] ?? []
    const first = tokens.length - confidences.length
    return tokens.slice(first).map((token, at) => ({
      token,
      text: token < TEXT_TOKENS ? tokenizer.decode([token]) : '',
      end: times[first + at] ?? 0,
      confidence: confidences[at] ?? 0,
    }))
  }

  return {
    transcribe: async (samples, offset) => {
      const { input_features } = await processor(samples)
      const encoded = await model.sessions.model.run({ input_features: input_features.ort_tensor })
      const encoder_outputs = new t.Tensor(encoded.last_hidden_state)
      const silence = await listen(input_features, encoder_outputs)
      const frames = Math.min(1500, Math.ceil(samples.length / SAMPLE_RATE / STEP))
      let heard = await write(input_features, encoder_outputs, frames)
      if (isLoop(heard)) heard = await write(input_features, encoder_outputs, frames, MAX_REPEAT_TOKENS)
      if (silence > NOBODY_SPEAKS && meanConfidence(heard) < UNSURE) return []
      return segmentsOf(heard, rounded(samples.length / SAMPLE_RATE), offset)
    },
  }
}

/** Returns true if the same few words repeat, as they do when the model gets stuck. */
function isLoop(heard: Heard[]): boolean {
  const text = heard.map((one) => one.text).join('')
  for (let size = 4; size <= 60; size += 1) {
    let same = 0
    for (let at = size; at < text.length; at += 1) {
      same = text[at] === text[at - size] ? same + 1 : 0
      if (same >= 4 * size) return true
    }
  }
  return false
}

function meanConfidence(heard: Heard[]): number {
  const said = heard.filter(({ token }) => token < TEXT_TOKENS)
  return said.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, said.length)
}

const wordsAlone = { add_special_tokens: false }
type Settings = { lang_to_id: Record<string, number> }
type List<Item> = { tolist(): Item[][] }
type Answer = { sequences: List<bigint>; token_timestamps: List<number> }

function softmax(logits: Float32Array): Float32Array {
  const largest = largestOf(logits)
  const powers = logits.map((value) => Math.exp(value - largest))
  const sum = powers.reduce((total, value) => total + value, 0)
  return powers.map((value) => value / sum)
}

function largestOf(values: Float32Array): number {
  return values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
}
