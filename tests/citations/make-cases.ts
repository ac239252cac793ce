import { readFileSync } from 'node:fs'
import { createRandom, pick, type Random } from '../../bench/tables/made-table.ts'
import type { Language } from './say-number.ts'
import { makeValue, sayValue, type Value, wrongValue } from './say-value.ts'

export type Case = { passage: string; kind: string; said: string }

const POOLS: Record<string, string[]> = {
  A: [
    'Clara Voss',
    'Tom Reyes',
    'Mara Ilic',
    'Jonas Weber',
    'Inès Morel',
    'Pablo Nuñez',
    'Ida Holm',
    'Peter Kranz',
  ],
  B: ['Halden', 'Brevik', 'Norsur', 'Solvena', 'Kestrel', 'Ombria', 'Tarvos', 'Lumina'],
  C: ['Graz', 'Dijon', 'Bergen', 'Vigo', 'Leeds', 'Kassel', 'Toulon', 'Almería'],
}
const SLOT = /\{([A-Za-z]+)(\d)([!^$]?)\}/g

/**
 * Makes cases of templates: `P language` begins a block with its passage, `T` is true, `W kind` has an error; `@language` says a line in
 * another language. A slot is filled with a value of the block; `!`, `$` and `^` make its number, currency, scale or unit wrong.
 */
export function makeCases(file: string, seed: number): Case[] {
  const blocks = readFileSync(file, 'utf8').split(/^P /m).slice(1)
  return blocks.flatMap((block, at) => casesOf(block.trim(), createRandom(seed * 1_000 + at + 1)))
}

function casesOf(block: string, random: Random): Case[] {
  const [head = '', ...lines] = block.split('\n')
  const language = head.slice(0, 2) as Language
  const values = new Map<string, Value | string>()
  const fill = (text: string, as: Language) =>
    text.replace(SLOT, (_, kind: string, number: string, mark: string) => {
      const value = slotValue(values, kind, number, random)
      if (typeof value === 'string') return value
      return sayValue(mark ? unlike(value, mark, values, random) : value, as, random)
    })
  const passage = fill(head.slice(3), language)
  return lines.map((line) => {
    const [, kind = '', as, text = ''] = /^(?:T|W (\w+)) (?:@(\w+) )?(.*)$/.exec(line) ?? []
    return { passage, kind: kind || 'true', said: capital(fill(text, (as ?? language) as Language)) }
  })
}

function slotValue(values: Map<string, Value | string>, kind: string, number: string, random: Random) {
  const name = kind + number
  const known = values.get(name)
  if (known !== undefined) return known
  const taken = [...values.values()]
  const pool = POOLS[kind]?.filter((one) => !taken.includes(one))
  let value = pool ? pick(random, pool) : makeValue(kind, random)
  while (typeof value !== 'string' && taken.some((one) => isClash(value as Value, one)))
    value = makeValue(kind, random)
  if (kind === 'm' && typeof value !== 'string') {
    // The amounts of a passage are of one currency.
    const other = taken.find((one) => typeof one !== 'string' && one.kind === 'm')
    if (other && typeof other !== 'string') value = { ...value, unit: other.unit ?? 'EUR' }
  }
  values.set(name, value)
  return value
}

const isClash = (value: Value, other: Value | string) =>
  typeof other !== 'string' && [other.number, other.other, other.month].includes(value.number)

/** A wrong value that equals no other value of the block. */
function unlike(value: Value, mark: string, values: Map<string, Value | string>, random: Random): Value {
  for (let tries = 0; ; tries++) {
    const wrong = wrongValue(value, mark, random)
    if (tries > 20 || ![...values.values()].some((one) => one !== value && isClash(wrong, one))) return wrong
  }
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
