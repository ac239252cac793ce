import type * as z from 'zod'

/** Returns the unbounded parts of a schema, each as its path and what is missing. */
export function findUnbounded(schema: z.core.$ZodType, path = ''): string[] {
  const seen = new Set<z.core.$ZodType>()
  const visit = (part: z.core.$ZodType, at: string): string[] => {
    if (seen.has(part)) return []
    seen.add(part)
    return [
      ...lacksOf(part).map((lack) => `${at}: ${lack}`),
      ...partsOf(part).flatMap(([inner, name]) => visit(inner, at + name)),
    ]
  }
  return visit(schema, path)
}

/** Returns the expressions that a schema and its parts run on a text. */
export function patternsOf(schema: z.core.$ZodType): RegExp[] {
  const own = checksOf(schema).flatMap(({ def }) => ('pattern' in def ? [def.pattern as RegExp] : []))
  return [...own, ...partsOf(schema).flatMap(([inner]) => patternsOf(inner))]
}

type Check = { def: z.core.$ZodCheckDef & { abort?: boolean; params?: Record<string, unknown> } }

/** These formats have a fixed length, so their patterns are bounded. */
const shortFormats = ['uuid', 'datetime', 'date']

function lacksOf(schema: z.core.$ZodType): string[] {
  const checks = checksOf(schema)
  const { def } = schema._zod as z.core.$ZodTypeInternals & { def: { type: string; format?: string } }
  if (def.type === 'string' && !shortFormats.includes(def.format ?? '')) {
    const bound = checks.findIndex(({ def: check }) => check.check === 'max_length')
    if (bound < 0) return ['a text without a longest length']
    const isWork = ({ def: check }: Check) => check.check === 'string_format' || check.check === 'custom'
    const work = checks.findIndex(isWork)
    return work >= 0 && (work < bound || !checks[bound]!.def.abort)
      ? ['work on a text before its length']
      : []
  }
  if (def.type === 'array' && !checks.some(({ def: check }) => check.check === 'max_length'))
    return ['a list without a highest count']
  if (def.type === 'record' && !checks.some(({ def: check }) => check.params && 'most' in check.params))
    return ['a record without a highest count']
  return []
}

/** Returns the checks in execution order; a format with its own schema runs first. */
function checksOf(schema: z.core.$ZodType): Check[] {
  const { def } = schema._zod
  const own = 'check' in def ? [{ def: def as unknown as Check['def'] }] : []
  const added = (def.checks ?? []) as (z.core.$ZodCheck & { _zod: Check })[]
  return [...own, ...added.map((check) => check._zod)]
}

function partsOf(schema: z.core.$ZodType): [z.core.$ZodType, string][] {
  const {
    shape,
    getter,
    checks: _,
    ...rest
  } = schema._zod.def as z.core.$ZodTypeDef & {
    shape?: Record<string, z.core.$ZodType>
    getter?: () => z.core.$ZodType
  }
  const fields = Object.entries(shape ?? {}).map(([name, field]): [z.core.$ZodType, string] => [
    field,
    `.${name}`,
  ])
  const inner = [getter?.(), ...Object.values(rest)].flat().filter(isSchema)
  return [...fields, ...inner.map((part): [z.core.$ZodType, string] => [part, ''])]
}

function isSchema(value: unknown): value is z.core.$ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value && 'parse' in (value._zod as object)
}
