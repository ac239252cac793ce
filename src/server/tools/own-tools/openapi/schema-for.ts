import { AppError } from '#shared/platform/errors.ts'
import type { JsonSchema } from '../../../models/models/port.ts'
import { checkSchema } from '../schemas.ts'
import type { Description } from './description.ts'
import { resolveSchema } from './resolve-schema.ts'

/** Maximum characters of one input. A model may see sixty of them. */
const MAX_INPUT_CHARACTERS = 8_000

/** Returns the schema of an input, expanded as deeply as the limit allows. @throws AppError `invalid` */
export function schemaFor(description: Description, schema: unknown, name: string): JsonSchema {
  if (schema === undefined) return {}
  for (const depth of [6, 4, 3, 2, 1, 0]) {
    const resolved = resolveSchema(description, schema, depth)
    if (JSON.stringify(resolved).length > MAX_INPUT_CHARACTERS && depth > 0) continue
    return checkSchema(resolved, name)
  }
  throw new AppError('invalid', `the schema of ${name} is too long`)
}
