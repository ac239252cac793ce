import { AppError } from '#shared/platform/errors.ts'
import type { JsonSchema } from '../../../models/models/port.ts'
import { checkSchema } from '../schemas.ts'
import type { Description } from './description.ts'
import { resolveSchema } from './resolve-schema.ts'

/** Characters of one input: sixty of them stand before a model at once. */
const MOST = 8_000

/** The schema of an input, written out as deep as there is room for. @throws AppError `invalid` */
export function schemaFor(description: Description, schema: unknown, name: string): JsonSchema {
  if (schema === undefined) return {}
  for (const depth of [6, 4, 3, 2, 1, 0]) {
    const resolved = resolveSchema(description, schema, depth)
    if (JSON.stringify(resolved).length > MOST && depth > 0) continue
    return checkSchema(resolved, name)
  }
  throw new AppError('invalid', `the schema of ${name} is too long`)
}
