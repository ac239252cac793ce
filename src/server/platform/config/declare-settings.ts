import * as z from 'zod'

type Given = Readonly<Record<string, string>>

/** Environment variables that the folder of a connector source declares: the default export of `<id>-settings.ts`. */
export type DeclaredSettings<Shape extends z.ZodRawShape = z.ZodRawShape> = {
  shape: Shape
  /** Names that are set together or not at all: the id and the secret of an OAuth client. */
  client: readonly (keyof Shape & string)[]
  /** Returns the values of an installation. */
  of(config: { declared: Given }): z.output<z.ZodObject<Shape>>
}

/** All names begin with the id of the source in capitals. */
export function declareSettings<Shape extends z.ZodRawShape>(
  shape: Shape,
  { client = [] }: { client?: readonly (keyof Shape & string)[] } = {},
): DeclaredSettings<Shape> {
  const schema = z.object(shape)
  return { shape, client, of: ({ declared }) => schema.parse(declared) }
}

export const optionalText = z.string().min(1).optional()
export const webAddress = z.url({
  protocol: /^https?$/,
  error: 'must be an address that starts with http:// or https://',
})
