import { type BeliefTurn, readBeliefTurn } from '../belief-turn.ts'
import { isPoliteness, isUnanswered } from './phrases.ts'

type Entry = BeliefTurn['memory']['facts'][number]

const most = { goals: 4, facts: 16, open_questions: 6 }
const perTurn = 6
const longest = 200

/**
 * Updates the working memory after a turn, by rules: the request is a goal, results of tools or of a text are facts, an unanswered
 * request is an open question. Returns null when the text holds no turn.
 */
export function writeBelief(text: string): BeliefTurn['memory'] | null {
  const turn = readBeliefTurn(text)
  if (!turn) return null
  const { memory, question, reply, tools } = turn
  const asked = firstLine(question)
  const isOpen = isUnanswered(reply) || (tools.length > 0 && tools.every(({ failed }) => failed))
  const isFounded = !isOpen && !isPoliteness(reply)
  const goals = asked ? [{ text: asked, from: 'question' }] : []
  return {
    goals: add(memory.goals, goals, most.goals),
    facts: add(memory.facts, isFounded ? readFacts(turn) : [], most.facts),
    open_questions: add(
      memory.open_questions.filter((entry) => entry.text !== asked),
      isOpen ? goals : [],
      most.open_questions,
    ),
  }
}

/** Returns the statements of a reply without headings and questions, otherwise the results of its tools. */
function readFacts({ reply, tools }: BeliefTurn): Entry[] {
  const lines = reply.replace(/```[\s\S]*?(?:```|$)/g, '').split('\n')
  const statements = lines
    .map((line) => line.replace(/^\s*(?:[-*]|\d+\.)\s+/, '').replace(/\*\*|`/g, ''))
    .map((line) => line.trim())
    .filter((line) => line.length > 1 && line.length <= longest && !/[:?]$/.test(line))
  const results = tools.filter(({ failed }) => !failed).map(({ name, result }) => `${name}: ${result}`)
  const texts = statements.length > 0 ? statements : results.filter((text) => text.length <= longest)
  return texts.slice(0, perTurn).map((text) => ({ text, from: 'reply' }))
}

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0]?.trim() ?? ''
  return line.length > longest ? `${line.slice(0, longest - 1).trimEnd()}…` : line
}

/** Adds new entries, each once at its first mention, and keeps the newest `count`. */
function add(known: Entry[], more: Entry[], count: number): Entry[] {
  const fresh = more.filter(({ text }) => !known.some((entry) => entry.text === text))
  return [...known, ...fresh].slice(-count)
}
