import type { DatabaseKind } from '#shared/tools/databases/databases.ts'
import { refuse } from './checked.ts'
import { isAllowedFunction } from './functions.ts'

type Token = { kind: 'word' | 'quoted' | 'text' | 'number' | 'sign'; value: string }

const list = (text: string) => new Set(text.toUpperCase().split(/\s+/))

/** Words that start or belong to statements that do more than read. */
const refused = list(
  `into outfile dumpfile for lock procedure attach detach pragma load call handler show set exec execute insert update delete
  create drop alter vacuum reindex analyze explain use do grant revoke rename truncate_table begin commit rollback savepoint
  prepare deallocate returning sql_calc_found_rows sql_buffer_result high_priority straight_join partition_by_hash tablesample
  recursive_depth prior share nowait skip natural`,
)
/** Words that may stand before an opening bracket without calling a function. */
const beforeBracket = list(
  `in exists and or not where as on using when then else by select from join over filter union all except intersect having
  with any some between like case is distinct limit offset values within group set_of is regexp rlike glob div mod xor
  decimal numeric char varchar nchar binary signed unsigned datetime time date double float real integer int text interval
  key materialized separator`,
)
/** Words that may stand before a text in quotes. Others would change how it is read, such as `x'41'` or `_utf8'a'`. */
const beforeText = list(
  `like in then else when select and or not between escape separator as date time timestamp interval by on where having case
  regexp rlike glob distinct all div mod xor is limit union offset`,
)

/**
 * Reads a query of MySQL or SQLite as tokens, strictly: whatever two servers could read differently is refused, such as comments, backslashes,
 * variables and prefixed texts. @throws AppError `invalid`
 */
export function assertPlainTokens(kind: Exclude<DatabaseKind, 'postgres'>, sql: string): void {
  const tokens = readTokens(kind, sql)
  for (const [at, { kind: type, value }] of tokens.entries()) {
    const next = tokens[at + 1]
    if (type === 'sign' && value === ';') refuse('it has several statements.')
    if (type === 'quoted' && next?.value === '(') assertDefinesColumns(tokens, at)
    if (type !== 'word') continue
    const word = value.toUpperCase()
    if (refused.has(word)) refuse(`“${value}” is not allowed.`)
    if (next?.kind === 'text' && !beforeText.has(word)) refuse(`“${value}” before a text is not allowed.`)
    if (next?.value !== '(' || next.kind !== 'sign') continue
    if (tokens[at - 1]?.value === '.') refuse(`the function “${value}” of a schema is not allowed.`)
    if (!beforeBracket.has(word) && !isAllowedFunction(kind, value)) assertDefinesColumns(tokens, at)
  }
}

/** A name before a bracket is allowed where it is a common table expression with the names of its columns: `WITH x (a, b) AS (`. */
function assertDefinesColumns(tokens: readonly Token[], at: number): void {
  const before = tokens[at - 1]?.value.toUpperCase() ?? ''
  const close = tokens.findIndex((token, place) => place > at && token.value === ')')
  const isNamed = before === 'WITH' || before === 'RECURSIVE' || before === ','
  const isDefinition =
    isNamed &&
    close > 0 &&
    tokens[close + 1]?.value.toUpperCase() === 'AS' &&
    tokens[close + 2]?.value === '('
  if (!isDefinition) refuse(`the function “${tokens[at]?.value ?? ''}” is not allowed.`)
}

function readTokens(kind: 'mysql' | 'sqlite', sql: string): Token[] {
  const tokens: Token[] = []
  const text = sql.trim().replace(/;$/, '')
  const pattern =
    /\s+|(?<text>'(?:[^']|'')*')|(?<quoted>`[^`\s][^`]*`|"[^"]+")|(?<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?(?![\p{L}\p{N}_])|\.\d+(?![\p{L}\p{N}_]))|(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<sign>->>|->|<=>|<>|!=|<=|>=|\|\||[-+*/%(),.=<>;])/uy
  let at = 0
  while (at < text.length) {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (!found) refuse(`“${text.slice(at, at + 12)}” is not allowed.`)
    at = pattern.lastIndex
    const [type, value] = Object.entries(found.groups ?? {}).find(([, one]) => one !== undefined) ?? []
    if (!type || value === undefined) continue
    assertPlain(kind, type, value, text.slice(at))
    tokens.push({ kind: type as Token['kind'], value })
  }
  return tokens
}

function assertPlain(kind: 'mysql' | 'sqlite', type: string, value: string, rest: string): void {
  if (value.includes('\\')) refuse('backslashes are not allowed.')
  // Quotes of the other kind could end a name when it is written out again.
  if (type === 'quoted' && /["'`]/.test(value.slice(1, -1))) refuse('names with quotes are not allowed.')
  if (type === 'quoted' && kind === 'mysql' && value.startsWith('"')) refuse('write texts in single quotes.')
  if (type === 'text' && rest.startsWith("'")) refuse('a text in quotes is not complete.')
  if (type === 'sign' && ((value === '-' && rest.startsWith('-')) || (value === '/' && rest.startsWith('*'))))
    refuse('comments are not allowed.')
}
