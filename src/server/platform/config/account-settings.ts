import { optionalText, webAddress } from './declare-settings.ts'

/** Environment variables of the mail, calendar and ticket accounts of people; part of the settings in `config.ts`. Listed in docs/OPERATIONS.md. */
export const accountSettings = {
  GOOGLE_MAIL_CLIENT_ID: optionalText,
  GOOGLE_MAIL_CLIENT_SECRET: optionalText,
  GOOGLE_MAIL_URL: webAddress.default('https://gmail.googleapis.com'),
  GOOGLE_MAIL_AUTHORIZE_URL: webAddress.default('https://accounts.google.com/o/oauth2/v2/auth'),
  GOOGLE_MAIL_TOKEN_URL: webAddress.default('https://oauth2.googleapis.com/token'),
  GOOGLE_CALENDAR_URL: webAddress.default('https://www.googleapis.com'),
  MICROSOFT_MAIL_CLIENT_ID: optionalText,
  MICROSOFT_MAIL_CLIENT_SECRET: optionalText,
  MICROSOFT_MAIL_URL: webAddress.default('https://graph.microsoft.com'),
  MICROSOFT_MAIL_SIGN_IN_URL: webAddress.default('https://login.microsoftonline.com/common'),
  JIRA_CLIENT_ID: optionalText,
  JIRA_CLIENT_SECRET: optionalText,
  JIRA_URL: webAddress.default('https://api.atlassian.com'),
  JIRA_SIGN_IN_URL: webAddress.default('https://auth.atlassian.com'),
}
