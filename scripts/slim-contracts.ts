import type { Plugin } from 'vite'

type Node = { type: string; start: number; end: number; [key: string]: unknown }
type Edit = { start: number; end: number; text: string }

const serverOnly = [
  'summary',
  'base',
  'may',
  'afterTerms',
  'scope',
  'visitors',
  'uses',
  'fails',
  'sends',
  'alsoStatus',
  'pages',
  'params',
  'query',
  'body',
  'answer',
]

/**
 * The client needs only a route's method, path and access, because the server validates schemas and checks rights.
 * This plugin removes them from `route({ … })` in `src/shared` and marks all other schemas there as pure, so that
 * unused ones, and with them zod, are dropped from the first load.
 */
export function slimContracts(): Plugin {
  return {
    name: 'slim-contracts',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /\/src\/shared\/.*\.ts$/ },
      handler(code) {
        const edits = declarationsOf(this.parse(code) as unknown as Node).flatMap(slimDeclaration)
        if (edits.length === 0) return null
        return { code: applyEdits(code, edits), map: null }
      },
    },
  }
}

function declarationsOf(program: Node): Node[] {
  const statements = (program.body as Node[]).map((statement) =>
    statement.type === 'ExportNamedDeclaration' ? (statement.declaration as Node | null) : statement,
  )
  const declared = statements.filter((statement) => statement?.type === 'VariableDeclaration') as Node[]
  return declared.flatMap((declaration) => declaration.declarations as Node[])
}

function slimDeclaration(declarator: Node): Edit[] {
  const value = declarator.init as Node | null
  if (value?.type !== 'CallExpression') return []
  const pure = { start: value.start, end: value.start, text: '/*#__PURE__*/ (() => ' }
  const edits = [pure, { start: value.end, end: value.end, text: ')()' }]
  const isRoute = (value.callee as Node).name === 'route'
  return isRoute ? [...edits, ...withoutServerOnly((value.arguments as Node[])[0])] : edits
}

function withoutServerOnly(definition: Node | undefined): Edit[] {
  if (definition?.type !== 'ObjectExpression') return []
  const properties = definition.properties as Node[]
  // Spread properties have no key.
  return properties.flatMap(({ key, start, end }, at) =>
    serverOnly.includes(String((key as Node | undefined)?.name))
      ? // With the comma before the next property.
        [{ start, end: properties[at + 1]?.start ?? end, text: '' }]
      : [],
  )
}

function applyEdits(code: string, edits: Edit[]): string {
  const backwards = edits.sort((a, b) => b.start - a.start || b.end - a.end)
  return backwards.reduce(
    (text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end),
    code,
  )
}
