import * as z from 'zod'

const text = z.string().min(1).optional()
const url = z.url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' })
const words = z.string().regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, 'must be words with one space between them')

/** Environment variables of sources and accounts where people sign in; part of the settings in `config.ts`. Listed in docs/OPERATIONS.md. */
export const connectorSettings = {
  GOOGLE_DRIVE_CLIENT_ID: text,
  GOOGLE_DRIVE_CLIENT_SECRET: text,
  GOOGLE_DRIVE_URL: url.default('https://www.googleapis.com'),
  GOOGLE_DRIVE_AUTHORIZE_URL: url.default('https://accounts.google.com/o/oauth2/v2/auth'),
  GOOGLE_DRIVE_TOKEN_URL: url.default('https://oauth2.googleapis.com/token'),
  MICROSOFT_FILES_CLIENT_ID: text,
  MICROSOFT_FILES_CLIENT_SECRET: text,
  MICROSOFT_FILES_URL: url.default('https://graph.microsoft.com'),
  MICROSOFT_FILES_SIGN_IN_URL: url.default('https://login.microsoftonline.com/common'),
  GOOGLE_MAIL_CLIENT_ID: text,
  GOOGLE_MAIL_CLIENT_SECRET: text,
  GOOGLE_MAIL_URL: url.default('https://gmail.googleapis.com'),
  GOOGLE_CALENDAR_URL: url.default('https://www.googleapis.com'),
  MICROSOFT_MAIL_CLIENT_ID: text,
  MICROSOFT_MAIL_CLIENT_SECRET: text,
  MICROSOFT_MAIL_URL: url.default('https://graph.microsoft.com'),
  JIRA_CLIENT_ID: text,
  JIRA_CLIENT_SECRET: text,
  JIRA_URL: url.default('https://api.atlassian.com'),
  JIRA_SIGN_IN_URL: url.default('https://auth.atlassian.com'),
  MICROSOFT_FILES_SCOPES: words.default('offline_access Files.Read.All Sites.Read.All'),
}
