import * as z from 'zod'
import { declareSettings, optionalText, webAddress } from '../../../../platform/config/declare-settings.ts'

const words = z.string().regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, 'must be words with one space between them')

/** Atrium's client at Microsoft, and the addresses of its services. Listed in docs/OPERATIONS.md. */
export default declareSettings(
  {
    MICROSOFT_FILES_CLIENT_ID: optionalText,
    MICROSOFT_FILES_CLIENT_SECRET: optionalText,
    MICROSOFT_FILES_URL: webAddress.default('https://graph.microsoft.com'),
    MICROSOFT_FILES_SIGN_IN_URL: webAddress.default('https://login.microsoftonline.com/common'),
    MICROSOFT_FILES_SCOPES: words.default('offline_access Files.Read.All Sites.Read.All'),
  },
  { client: ['MICROSOFT_FILES_CLIENT_ID', 'MICROSOFT_FILES_CLIENT_SECRET'] },
)
