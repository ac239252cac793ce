import { type Schema, writeType } from './write-type.ts'

type Content = Record<string, { schema: Schema }>
type Response = { $ref?: string; content?: Content }
export type Operation = {
  summary: string
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, Response>
}
export type Description = {
  info: { version: string }
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> }
  paths: Record<string, Record<string, Operation>>
}

/** Returns all paths of a description as types for `openapi-fetch`. */
export function writePaths({ info, components, paths }: Description): string {
  const schemas = Object.entries(components.schemas).map(([name, schema]) => `${name}: ${writeType(schema)}`)
  const responses = Object.entries(components.responses).map(
    ([name, one]) => `'${name}': ${writeResponse(one)}`,
  )
  const described = Object.entries(paths).map(([path, methods]) => {
    const operations = Object.entries(methods).map(
      ([method, operation]) =>
        `    /** ${operation.summary} */\n    ${method}: ${writeOperation(operation).replaceAll('\n', '\n    ')}`,
    )
    return `  '${path}': {\n${operations.join('\n')}\n  }`
  })
  return [
    `// Atrium ${info.version}: written by \`npm run client\`.`,
    `export interface components {\n  schemas: {\n    ${schemas.join('\n    ')}\n  }\n  responses: {\n    ${responses.join('\n    ')}\n  }\n}`,
    `export interface paths {\n${described.join('\n')}\n}\n`,
  ].join('\n\n')
}

function writeOperation({ parameters, requestBody, responses }: Operation): string {
  const answers = Object.entries(responses).map(
    ([status, response]) => `    ${status}: ${writeResponse(response)}`,
  )
  return [
    '{',
    `  parameters: { ${writeParameters(parameters, 'path')}; ${writeParameters(parameters, 'query')}; header?: never; cookie?: never }`,
    requestBody
      ? `  requestBody${requestBody.required ? '' : '?'}: { content: ${writeContent(requestBody.content)} }`
      : '  requestBody?: never',
    `  responses: {\n${answers.join('\n')}\n  }`,
    '}',
  ].join('\n')
}

function writeParameters(parameters: Operation['parameters'], place: 'path' | 'query'): string {
  const here = parameters.filter((one) => one.in === place)
  if (here.length === 0) return `${place}?: never`
  const fields = here.map(
    ({ name, required, schema }) => `${JSON.stringify(name)}${required ? '' : '?'}: ${writeType(schema)}`,
  )
  return `${place}${here.some(({ required }) => required) ? '' : '?'}: { ${fields.join('; ')} }`
}

function writeResponse({ $ref, content }: Response): string {
  if ($ref) return writeType({ $ref })
  return `{ headers: Record<string, unknown>; content${content ? `: ${writeContent(content)}` : '?: never'} }`
}

function writeContent(content: Content): string {
  const kinds = Object.entries(content).map(([type, { schema }]) => `'${type}': ${writeType(schema)}`)
  return `{ ${kinds.join('; ')} }`
}
