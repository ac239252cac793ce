/** A JSON schema, limited to the keywords that the description uses. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  not?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  prefixItems?: Schema[]
}

/** Returns a schema as a TypeScript type. */
export function writeType(schema: Schema): string {
  if (schema.$ref) return `components${schema.$ref.slice(12).replace(/\/([^/]+)/g, "['$1']")}`
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map((one) => JSON.stringify(one)))
  if (schema.not && Object.keys(schema.not).length === 0) return 'never'
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return union(choices.map(writeType))
  if (schema.allOf) return schema.allOf.map((one) => `(${writeType(one)})`).join(' & ')
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => writeType({ ...schema, type })))
  switch (schema.type) {
    case 'string':
      return schema.format === 'binary' ? 'Blob' : 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
    case 'null':
      return schema.type
    case 'array':
      if (schema.prefixItems) return `[${schema.prefixItems.map(writeType).join(', ')}]`
      return `Array<${writeType(schema.items ?? {})}>`
    case 'object':
      return writeObject(schema)
    default:
      return 'unknown'
  }
}

const union = (parts: string[]) => [...new Set(parts)].join(' | ') || 'never'

function writeObject({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, one]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${writeType(one)}`,
  )
  const named = `{ ${fields.join('; ')} }`
  if (typeof additionalProperties !== 'object') return fields.length > 0 ? named : 'Record<string, unknown>'
  const more = `Record<string, ${writeType(additionalProperties)}>`
  return fields.length > 0 ? `${named} & ${more}` : more
}
