import { declareSettings, optionalText, webAddress } from '../../../../platform/config/declare-settings.ts'

/** Atrium's client at Google, and the addresses of its services. Listed in docs/OPERATIONS.md. */
export default declareSettings(
  {
    GOOGLE_DRIVE_CLIENT_ID: optionalText,
    GOOGLE_DRIVE_CLIENT_SECRET: optionalText,
    GOOGLE_DRIVE_URL: webAddress.default('https://www.googleapis.com'),
    GOOGLE_DRIVE_AUTHORIZE_URL: webAddress.default('https://accounts.google.com/o/oauth2/v2/auth'),
    GOOGLE_DRIVE_TOKEN_URL: webAddress.default('https://oauth2.googleapis.com/token'),
  },
  { client: ['GOOGLE_DRIVE_CLIENT_ID', 'GOOGLE_DRIVE_CLIENT_SECRET'] },
)
