import type { Corpus, CorpusPiece, CorpusWish } from '#shared/knowledge/corpus/corpus-port.ts'
import { BUILT_IN_MODEL } from '#shared/models/connections/connections.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Language } from '#shared/platform/primitives.ts'
import type { Person } from '../../platform/access/access.ts'
import type { RunContext } from '../../runs/runs/runs.ts'
import { NAMED, type RagDeps, scopeOfQuestion } from '../rag/rag.ts'
import { listPassages, nameScope } from '../search/search.ts'
import { askCost } from './corpus-texts.ts'
import { cutText } from './cut-text.ts'

/** Maximum characters and passages per piece. */
export const PIECE = { characters: 6_000, passages: 40 }
/** Maximum number of documents listed as sources. */
const SOURCES = 50
const CHARACTERS_PER_TOKEN = 4
/** Tokens per call besides the material, tokens per note, and the share of the notes that joining and answering add. */
const CALL = { told: 350, said: 250, after: 0.3 }

type Read = Pick<Corpus, 'pieces' | 'passages' | 'documents' | 'sources' | 'left_out'> & {
  characters: number
}
type Asking = { person: Person; run: Pick<RunContext, 'input'>; model: string; language: Language }

/** Fixes the pieces to read and estimates their cost. @throws AppError when there is nothing to read, or too much */
export async function fixCorpus(deps: RagDeps, asking: Asking, wish: CorpusWish): Promise<Corpus> {
  const { characters, ...read } =
    wish.text === undefined ? await readDocuments(deps, asking, wish) : readText(wish.text)
  if (read.passages === 0) throw new AppError('invalid', NOTHING)
  const cost = await costOf(deps, asking, { ...read, characters })
  return { ...read, piece_size: PIECE.characters, cost }
}

const NOTHING = 'There is nothing to read: name documents that have been read, or give a text.'

async function readDocuments(deps: RagDeps, { person, run }: Asking, wish: CorpusWish): Promise<Read> {
  const found = await scopeOfQuestion(deps, person, run, wish)
  if (!found && !wish.orLibrary) throw new AppError('invalid', NOTHING)
  const scope = found ?? {}
  const most = deps.config.ATRIUM_LIMIT_READ_PASSAGES
  const [listed, looked] = await Promise.all([
    listPassages(deps.db, person, scope, most + 1),
    nameScope(deps.db, person, scope, NAMED),
  ])
  if (listed.length > most)
    throw new AppError(
      'too_large',
      `More than ${most} passages cannot be read at once. Name fewer documents.`,
    )
  const names = new Map(listed.map(({ document_id, document_name }) => [document_id, document_name]))
  return {
    pieces: packPassages(listed),
    ...{ passages: listed.length, documents: names.size },
    sources: [...names].slice(0, SOURCES).map(([id, name]) => ({ id, name })),
    left_out: { reading: looked.reading, failed: looked.failed },
    characters: listed.reduce((sum, { characters }) => sum + characters, 0),
  }
}

/** Packs consecutive passages into pieces that fit one model call. */
export function packPassages(listed: readonly { id: string; characters: number }[]): CorpusPiece[] {
  const pieces: { chunks: string[]; characters: number }[] = []
  for (const { id, characters } of listed) {
    const last = pieces.at(-1)
    const fits =
      last && last.characters + characters <= PIECE.characters && last.chunks.length < PIECE.passages
    if (fits) {
      last.chunks.push(id)
      last.characters += characters
    } else pieces.push({ chunks: [id], characters })
  }
  return pieces.map(({ chunks }) => ({ chunks }))
}

function readText(text: string): Read {
  const pieces = cutText(text, PIECE.characters).map((span) => ({ span }))
  const nobody = { documents: 0, names: [] }
  return {
    ...{ pieces, passages: pieces.length, documents: 0, sources: [], characters: text.length },
    left_out: { reading: nobody, failed: nobody },
  }
}

/** Estimates tokens and price of a reading. `question` asks for approval when the estimate is above the limit, except for the built-in model. */
async function costOf(
  { models, config }: RagDeps,
  { model, language }: Asking,
  { pieces, passages, documents, characters }: Read,
): Promise<Corpus['cost']> {
  const input = characters / CHARACTERS_PER_TOKEN + pieces.length * CALL.told
  const said = pieces.length * CALL.said
  const input_tokens = Math.round(input + said * (1 + CALL.after))
  const output_tokens = Math.round(said * (1 + CALL.after))
  const usage = { input_tokens, output_tokens, cached_tokens: 0, reasoning_tokens: 0, estimated: true }
  const price = await models.price(model, usage)
  const tokens = input_tokens + output_tokens
  const dollars = price.unpriced ? null : price.amount
  const isAsked = model !== BUILT_IN_MODEL && tokens > config.ATRIUM_LIMIT_READ_TOKENS
  const question = isAsked ? askCost(language, { passages, documents, tokens, dollars, model }) : null
  return { tokens, dollars, question }
}
