import mariadb from 'node-sql-parser/build/mariadb.js'
import postgresql from 'node-sql-parser/build/postgresql.js'
import sqlite from 'node-sql-parser/build/sqlite.js'
import { AppError } from '#shared/platform/errors.ts'
import type { DatabaseKind } from '#shared/tools/databases/databases.ts'
import {
  type AllowedTable,
  assertParsable,
  createNames,
  createTables,
  cteName,
  refuse,
  type ToCheck,
} from './checked.ts'
import { assertPlainTokens } from './tokens.ts'

type Node = Record<string, unknown>
type Kind = Exclude<DatabaseKind, 'postgres'>

type Grammar = { parser: InstanceType<typeof sqlite.Parser>; database: string }

/** Grammars by kind. That of SQLite lacks window functions and some joins, which SQLite shares with PostgreSQL. */
const grammars: Record<Kind, Grammar[]> = {
  mysql: [{ parser: new mariadb.Parser(), database: 'mariadb' }],
  sqlite: [
    { parser: new sqlite.Parser(), database: 'sqlite' },
    { parser: new postgresql.Parser(), database: 'postgresql' },
  ],
}

/** Nodes that a query may consist of. Everything else is refused. */
const allowed = new Set(
  `select column_ref number bigint single_quote_string string null bool boolean binary_expr unary_expr expr_list function aggr_func
  window_func case when else cast star window interval extract default expr asc desc rows range dual collate`.split(
    /\s+/,
  ),
)

/**
 * Parses a query of MySQL or SQLite. Returns the text to send, written from the parsed tree, in which each table is replaced by its allowed
 * columns. @throws AppError `invalid`
 */
export function checkOther({ sql, tables, kind }: ToCheck & { kind: Kind }): string {
  assertParsable(sql)
  assertPlainTokens(kind, sql)
  const { grammar, tree } = parseOne(kind, sql)
  const known = createTables(tables, (a, b) => a.toLowerCase() === b.toLowerCase())
  const names = createNames(known.columns)
  const ctes = new Set<string>()
  visit(tree, (node) => {
    assertNode(node)
    for (const cte of Array.isArray(node.with) ? (node.with as Node[]) : [])
      ctes.add(nameOf(cte.name).toLowerCase())
    define(node, names.define)
    if (node.type === 'column_ref') noteColumn(node, names.use)
  })
  names.assertKnown()
  visit(tree, (node) => {
    for (const cte of Array.isArray(node.with) ? (node.with as Node[]) : []) renameCte(cte)
    if (node.from) node.from = entriesOf(node.from).map((entry) => readTable(entry))
  })
  const sent = write(grammar, tree)
  // The written text has to read the same to a strict reader, and to the parser itself.
  assertPlainTokens(kind, sent)
  const reread = readStatement(grammar, sent)
  if (write(grammar, reread) !== sent) refuse('it cannot be written out exactly.')
  assertOwnTables(reread, known.find)
  return sent

  function readTable(entry: Node): Node {
    if (entry.type === 'dual' || isNode(entry.expr)) return entry
    if (typeof entry.table !== 'string') return refuse(ONLY_TABLES)
    const name = entry.table
    const schema = [entry.db, entry.schema].find((one) => typeof one === 'string') as string | undefined
    const as = entry.as ?? name
    if (schema === undefined && ctes.has(name.toLowerCase()))
      return { ...entry, table: cteName(name.toLowerCase()), as }
    const table = known.find(schema ?? null, name)
    const [quote, own] = kind === 'mysql' ? ['`', /[`\\]/] : ['"', /["\\]/]
    const quoted = [table.schema, table.name, ...table.columns].map((one) =>
      own.test(one) ? refuse(`the name “${one}” cannot be used.`) : quote + one + quote,
    )
    const [inSchema, inTable, ...columns] = quoted
    const template = readStatement(
      grammar,
      `SELECT * FROM (SELECT ${columns.join(', ')} FROM ${inSchema}.${inTable}) AS ${quote}t${quote}`,
    )
    const [found] = template.from as Node[]
    const { db: _db, schema: _schema, table: _table, ...rest } = entry
    // Visited already: its own table is the allowed one.
    return Object.defineProperty({ ...rest, expr: found?.expr, as }, DONE, { value: true })
  }
}

const ONLY_TABLES = 'only tables and queries may stand behind FROM, and tables not in brackets.'

/** Returns the tables and queries behind FROM. @throws AppError `invalid` for tables in brackets, which a parser reads as another form */
function entriesOf(from: unknown): Node[] {
  const entries = Array.isArray(from) ? (from as Node[]) : refuse(ONLY_TABLES)
  for (const { expr, type, table } of entries) {
    const isQuery = isNode(expr) && isNode(expr.ast) && expr.ast.type === 'select'
    if (type !== 'dual' && !isQuery && typeof table !== 'string') refuse(ONLY_TABLES)
  }
  return entries
}

/** Checks that a written query reads each table only through the query of its allowed columns. @throws AppError `invalid` */
function assertOwnTables(tree: Node, find: (schema: string, name: string) => AllowedTable): void {
  const read = new Set<Node>()
  visit(tree, (node) => {
    const entries = node.from ? entriesOf(node.from) : []
    for (const entry of entries) {
      const schema = [entry.db, entry.schema].find((one) => typeof one === 'string')
      if (typeof schema === 'string') assertColumns(node, find(schema, String(entry.table)))
      else if (typeof entry.table === 'string' && !entry.table.startsWith(cteName('')))
        refuse('it cannot be written out exactly.')
      read.add(entry)
    }
    if (node.table && node.type !== 'column_ref' && !read.has(node)) refuse(ONLY_TABLES)
  })
}

/** Checks that a SELECT reads nothing but allowed columns of one table. */
function assertColumns({ from, columns }: Node, table: AllowedTable): void {
  const names = (Array.isArray(columns) ? (columns as Node[]) : [null]).map((column) => {
    const expr = column?.expr
    if (!isNode(expr)) return null
    // The grammar of SQLite takes a lone name in quotes for a text.
    return expr.type === 'column_ref' ? columnName(expr) : expr.type === 'double_quote_string' && expr.value
  })
  const isAllowed = names.every((name) => typeof name === 'string' && table.columns.includes(name))
  if (!isAllowed || entriesOf(from).length !== 1) refuse('it cannot be written out exactly.')
}

/** Marks a table that has been replaced. It is not copied into the text. */
const DONE = Symbol('done')

function write({ parser, database }: Grammar, tree: Node): string {
  return parser.sqlify(tree as never, { database }).trim()
}

/** Reads a query with the first grammar that knows it. */
function parseOne(kind: Kind, sql: string): { grammar: Grammar; tree: Node } {
  let failure: unknown
  for (const grammar of grammars[kind])
    try {
      return { grammar, tree: readStatement(grammar, sql) }
    } catch (error) {
      if (error instanceof AppError) throw error
      failure ??= error
    }
  const [line = ''] = failure instanceof Error ? failure.message.split('\n') : []
  return refuse(`it is not SQL that can be checked (${line.replace(/^Expected .* but /, '').slice(0, 160)}).`)
}

/** @throws AppError `invalid` for anything but one SELECT; the parser's error for what it does not know */
function readStatement({ parser, database }: Grammar, sql: string): Node {
  const { ast } = parser.parse(sql.trim().replace(/;$/, ''), { database })
  const statements = Array.isArray(ast) ? ast : [ast]
  if (statements.length > 1) refuse('it has several statements.')
  const first = statements[0] as unknown as Node | undefined
  if (first?.type !== 'select') refuse('only SELECT is allowed.')
  return first
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function assertNode(node: Node): void {
  const { type } = node
  if (typeof type === 'string' && 'expr' in node && /^(?:asc|desc)$/i.test(type)) return
  if (typeof type === 'string' && !allowed.has(type.toLowerCase()))
    refuse(`it uses “${type}”, which is not allowed.`)
  if (type !== 'select') return
  const into = isNode(node.into) ? node.into.position : node.into
  if (into) refuse('SELECT INTO writes.')
  if (node.locking_read || node.for_update) refuse('it locks rows.')
  if (node.options) refuse('options of SELECT are not allowed.')
}

function nameOf(name: unknown): string {
  return isNode(name) ? String(name.value ?? '') : String(name ?? '')
}

function renameCte(cte: Node): void {
  if (isNode(cte.name)) cte.name = { ...cte.name, value: cteName(nameOf(cte.name).toLowerCase()) }
  else cte.name = cteName(nameOf(cte.name).toLowerCase())
}

/** Reports names that the query gives to columns and tables. */
function define(node: Node, add: (name: unknown) => void): void {
  add(node.as)
  add(node.table)
  if (Array.isArray(node.columns) && 'stmt' in node)
    for (const column of node.columns as unknown[])
      add(isNode(column) ? (column.column ?? nameOf(column)) : column)
}

function columnName({ column }: Node): unknown {
  return isNode(column) && isNode(column.expr) ? column.expr.value : column
}

function noteColumn(node: Node, use: (name: string) => void): void {
  if (node.db || node.schema) refuse('name columns with their table or its alias only.')
  const name = columnName(node)
  if (typeof name !== 'string') refuse('a column has no name.')
  if (name !== '*') use(name)
}

/** Calls back for each object of a tree, from the root down. A callback may replace what is below. */
function visit(value: unknown, on: (node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) visit(one, on)
  if (!isNode(value) || DONE in value) {
    // The condition of a join belongs to the query, not to the replaced table.
    if (isNode(value)) for (const key of ['on', 'using']) visit(value[key], on)
    return
  }
  on(value)
  for (const [key, child] of Object.entries(value))
    if (!/^(?:tableList|columnList|loc)$/.test(key)) visit(child, on)
}
