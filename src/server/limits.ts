import * as z from 'zod'

const bound = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback)

/**
 * The bounds an administrator may set, as they are written in the environment; part of the settings in `config.ts`.
 * Each keeps one caller from taking what belongs to all. Listed in docs/OPERATIONS.md under "Limits".
 */
export const limitSettings = {
  ATRIUM_LIMIT_REQUESTS_AT_ONCE: bound(6, 1, 10_000),
  ATRIUM_LIMIT_SHARE_PERCENT: bound(20, 1, 100),
  ATRIUM_LIMIT_STREAMS_PER_USER: bound(64, 1, 100_000),
  ATRIUM_LIMIT_ASSISTANTS_PER_USER: bound(200, 1, 100_000),
  ATRIUM_LIMIT_HANG_SECONDS: bound(30, 0, 3_600),
  ATRIUM_LIMIT_STORAGE_MB: bound(2_000, 0, 100_000_000),
  ATRIUM_LIMIT_STREAM_BACKLOG_MB: bound(128, 1, 100_000),
  ATRIUM_LIMIT_BODY_SECONDS: bound(30, 1, 3_600),
  ATRIUM_LIMIT_ANSWER_KB: bound(512, 1, 65_536),
  ATRIUM_LIMIT_ARGUMENTS_KB: bound(512, 1, 65_536),
  ATRIUM_LIMIT_CALLS_PER_ANSWER: bound(128, 1, 10_000),
  ATRIUM_LIMIT_ANSWER_SECONDS: bound(900, 1, 86_400),
  ATRIUM_LIMIT_RESULT_KB: bound(1_024, 1, 65_536),
  ATRIUM_LIMIT_REPLIES_PER_USER: bound(20, 1, 10_000),
  ATRIUM_LIMIT_TOOLS_PER_USER: bound(10, 1, 10_000),
}
