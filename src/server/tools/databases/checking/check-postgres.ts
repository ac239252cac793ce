import { loadModule, parseSync } from 'libpg-query'
import { Deparser } from 'pgsql-deparser'
import { assertParsable, createNames, createTables, cteName, refuse, type ToCheck } from './checked.ts'
import { isAllowedFunction, postgresOperators, postgresTypes } from './functions.ts'

await loadModule()

type Node = Record<string, unknown>

/** Nodes that a query may consist of. Everything else is refused. */
const allowed = new Set(
  `SelectStmt ResTarget ColumnRef A_Star A_Const A_Expr BoolExpr NullTest BooleanTest FuncCall TypeCast CaseExpr CaseWhen
  CoalesceExpr MinMaxExpr SubLink RangeVar RangeSubselect RangeFunction JoinExpr SortBy GroupingSet GroupingFunc A_ArrayExpr
  A_Indirection A_Indices RowExpr List SQLValueFunction CommonTableExpr String Integer Float Boolean NamedArgExpr`.split(
    /\s+/,
  ),
)
const timeValues = /^SVFOP_(?:CURRENT_|LOCAL)(?:DATE|TIME|TIMESTAMP)(?:_N)?$/

/**
 * Parses a query with PostgreSQL's own parser. Returns the text to send, written from the parsed tree, in which each table is replaced by its
 * allowed columns. @throws AppError `invalid`
 */
export function checkPostgres({ sql, tables }: ToCheck): string {
  assertParsable(sql)
  const statement = parseOne(sql)
  const names = createNames([])
  const known = createTables(tables, (a, b) => a === b)
  for (const column of known.columns) names.define(column)
  const ctes = new Set<string>()
  visit(statement, (type, node) => {
    if (type === 'CommonTableExpr') ctes.add(String(node.ctename))
    define(type, node, names.define)
  })
  const rewritten = rewrite(statement, (type, node) => {
    assertNode(type, node)
    if (type === 'CommonTableExpr') return { ...node, ctename: cteName(String(node.ctename)) }
    if (type === 'ColumnRef') noteColumn(node, known.columns, names.use)
    if (type === 'RangeVar') return readTable(node)
    return type === 'RangeFunction' ? wrapFunction(node) : null
  })
  names.assertKnown()
  const sent = Deparser.deparse(rewritten as never, { pretty: false })
  // The written text has to mean what was checked.
  if (shapeOf(parseOne(sent)) !== shapeOf(rewritten)) refuse('it cannot be written out exactly.')
  return sent

  function readTable(node: Node): { [name: string]: unknown } {
    const name = String(node.relname)
    if (node.catalogname) refuse('it names another database.')
    const alias = node.alias ?? { aliasname: name }
    if (!node.schemaname && ctes.has(name)) return { ...node, relname: cteName(name), alias }
    const table = known.find(typeof node.schemaname === 'string' ? node.schemaname : null, name)
    const columns = table.columns.map((column) => ({
      ResTarget: { val: { ColumnRef: { fields: [{ String: { sval: column } }] } } },
    }))
    const from = { schemaname: table.schema, relname: table.name, inh: true, relpersistence: 'p' }
    return {
      [WHOLE]: {
        RangeSubselect: { subquery: { SelectStmt: selectOf(columns, [{ RangeVar: from }]) }, alias },
      },
    }
  }
}

/** Marks a replacement of the whole node, with its type. */
const WHOLE = '\u0000whole'

const selectOf = (targetList: unknown[], fromClause: unknown[]) => ({
  ...{ targetList, fromClause, limitOption: 'LIMIT_OPTION_DEFAULT', op: 'SETOP_NONE' },
})

/** The row of a function without a query around it is its value, and `value.name` calls the function `name`. */
function wrapFunction(node: Node): Node {
  const alias = node.alias ?? refuse('a function in FROM needs an alias.')
  const star = [{ ResTarget: { val: { ColumnRef: { fields: [{ A_Star: {} }] } } } }]
  const subquery = { SelectStmt: selectOf(star, [{ RangeFunction: node }]) }
  // Functions may name earlier tables without LATERAL, queries may not.
  return { [WHOLE]: { RangeSubselect: { lateral: true, subquery, alias } } }
}

function parseOne(sql: string): Node {
  let parsed: { stmts?: { stmt?: unknown }[] }
  try {
    parsed = parseSync(sql) as typeof parsed
  } catch (error) {
    return refuse(
      `it is not valid SQL (${error instanceof Error ? error.message.slice(0, 200) : 'unknown'}).`,
    )
  }
  const [first, ...more] = parsed.stmts ?? []
  if (more.length > 0) refuse('it has several statements.')
  const statement = first?.stmt as Node | undefined
  if (!statement || !('SelectStmt' in statement)) refuse('only SELECT is allowed.')
  return statement
}

function assertNode(type: string, node: Node): void {
  if (!allowed.has(type)) refuse(`it uses ${type}, which is not allowed.`)
  if (type === 'SelectStmt') {
    if (node.intoClause) refuse('SELECT INTO writes a table.')
    if (node.lockingClause) refuse('it locks rows.')
  }
  if (type === 'FuncCall') assertFunction(node)
  if (type === 'A_Expr' && !isOperator(node.name)) assertKeywordOperator(node)
  if (type === 'SubLink' && node.operName && !isOperator(node.operName))
    refuse('it uses an operator that is not allowed.')
  if (type === 'SortBy' && node.useOp) refuse('it sorts by an operator.')
  if (type === 'SQLValueFunction' && !timeValues.test(String(node.op)))
    refuse('it reads a setting of the connection.')
  if (type === 'A_Indirection' && 'String' in flat(node.indirection))
    refuse('it takes a part of a value by name.')
}

/** An operator with a schema may be anybody's function. */
function isOperator(name: unknown): boolean {
  const [first = '', ...more] = partsOf(name)
  return more.length === 0 && postgresOperators.has(first)
}

const flat = (list: unknown): Node => Object.assign({}, ...(Array.isArray(list) ? (list as Node[]) : []))

function assertFunction(node: Node): void {
  const parts = partsOf(node.funcname)
  const name = parts.at(-1) ?? ''
  const isBuiltIn = parts.length === 1 || (parts.length === 2 && parts[0] === 'pg_catalog')
  if (!isBuiltIn || !isAllowedFunction('postgres', name))
    refuse(`the function “${parts.join('.')}” is not allowed.`)
}

/** BETWEEN, NULLIF, IN and the like carry the name of their keyword. Operators of other schemas are refused. */
function assertKeywordOperator({ kind, name }: Node): void {
  const isKeyword =
    /^AEXPR_(?:NULLIF|BETWEEN|NOT_BETWEEN|BETWEEN_SYM|NOT_BETWEEN_SYM|SIMILAR|DISTINCT|NOT_DISTINCT)$/
  if (!isKeyword.test(String(kind))) refuse(`the operator “${partsOf(name).join('.')}” is not allowed.`)
}

/** Texts of a list of String nodes. */
function partsOf(list: unknown): string[] {
  if (!Array.isArray(list)) return []
  return list.map((one) => String((one as { String?: { sval?: string } }).String?.sval ?? ''))
}

/** Functions of PostgreSQL that take any row: `x.pg_typeof` calls one unless `x` has a column of this name. */
const rowFunction = /^(?:pg_|any|record_|hash_record|num_n|quote_)/

function noteColumn({ fields }: Node, columns: readonly string[], use: (name: string) => void): void {
  const list = fields as Node[]
  if (list.length > 2) refuse('name columns with their table or its alias only.')
  const last = list.at(-1)
  if (!last || 'A_Star' in last) return
  const name = partsOf([last])[0] ?? ''
  if (list.length === 2 && rowFunction.test(name) && !columns.includes(name))
    refuse(`the column “${name}” may be a function.`)
  use(name)
}

/** Reports names that the query gives to columns and tables. */
function define(type: string, node: Node, add: (name: unknown) => void): void {
  if (type === 'ResTarget') add(node.name)
  if (type === 'RangeVar') add(node.relname)
  if (type === 'CommonTableExpr') for (const name of partsOf(node.aliascolnames)) add(name)
  const alias = node.alias as Node | undefined
  if (alias && typeof alias === 'object') {
    add(alias.aliasname)
    for (const name of partsOf(alias.colnames)) add(name)
  }
  // Columns without a name of their own get the name of their function or type.
  if (type === 'FuncCall') add(partsOf(node.funcname).at(-1))
  if (type === 'CaseExpr') add('case')
  if (type === 'CoalesceExpr') add('coalesce')
  if (type === 'SQLValueFunction') add(String(node.op).replace('SVFOP_', ''))
}

const isNodeName = (key: string) => /^[A-Z]/.test(key)

/** Calls back for each node of a tree. */
function visit(value: unknown, on: (type: string, node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) visit(one, on)
  else if (typeof value === 'object' && value !== null)
    for (const [key, child] of Object.entries(value)) {
      if (isNodeName(key)) on(key, child as Node)
      visit(child, on)
    }
}

/** Parts of a tree that carry no node name; each is checked by its own rule. */
const bare: Record<string, (part: Node) => void> = {
  typeName: ({ names, setof, pct_type }) => {
    const parts = partsOf(names)
    const isBuiltIn = parts.length === 1 || (parts.length === 2 && parts[0] === 'pg_catalog')
    if (setof || pct_type || !isBuiltIn || !postgresTypes.has(parts.at(-1) ?? ''))
      refuse(`the type “${parts.join('.')}” is not allowed.`)
  },
  intoClause: () => refuse('SELECT INTO writes a table.'),
}

/** Returns a copy in which `change` may replace the content of a node; null keeps it. Replaced tables are not visited again. */
function rewrite<T>(value: T, change: (type: string, node: Node) => Node | null): T {
  if (Array.isArray(value)) return value.map((one) => rewrite(one, change)) as T
  if (typeof value !== 'object' || value === null) return value
  const copy: Node = {}
  for (const [key, child] of Object.entries(value as Node)) {
    if (key === 'location' || key.endsWith('_location')) continue
    if (!isNodeName(key)) {
      if (key in bare && typeof child === 'object' && child !== null) bare[key]?.(child as Node)
      copy[key] = rewrite(child, change)
      continue
    }
    const changed = change(key, child as Node)
    if (changed && WHOLE in changed) {
      const whole = changed[WHOLE] as Node
      // The arguments of a wrapped function are still to be checked.
      Object.assign(copy, key === 'RangeFunction' ? rewriteWrapped(whole, change) : whole)
    } else copy[key] = rewrite(changed ?? child, change)
  }
  return copy as T
}

/** Visits the functions inside a wrapped RangeFunction, but not the wrapper. */
function rewriteWrapped(whole: Node, change: (type: string, node: Node) => Node | null): Node {
  const inner = whole.RangeSubselect as {
    subquery: { SelectStmt: { fromClause: { RangeFunction: Node }[] } }
  }
  const [from] = inner.subquery.SelectStmt.fromClause
  if (from) from.RangeFunction = rewrite(from.RangeFunction, change)
  return whole
}

/** The tree as text without locations, to compare two trees. */
function shapeOf(tree: unknown): string {
  return JSON.stringify(tree, (key, value) => {
    if (/location$|^rexpr_list_/.test(key)) return undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
