import { totalmem } from 'node:os'
import * as z from 'zod'

/** Settings count in megabytes as sizes are displayed: 1024 KB of 1024 bytes. */
export const MEGABYTE = 1024 * 1024

/** Half of the memory of this machine, in MB. */
const halfOfMemory = Math.max(256, Math.floor(totalmem() / 2 / MEGABYTE))

const bound = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback)

/**
 * Limits set by the administrator as environment variables; part of the settings in `config.ts`. Each prevents one caller
 * from using up what all share. Listed in docs/OPERATIONS.md under "Limits".
 */
export const limitSettings = {
  ATRIUM_LIMIT_REQUESTS_AT_ONCE: bound(6, 1, 10_000),
  ATRIUM_LIMIT_REQUESTS_A_MINUTE: bound(6_000, 1, 10_000_000),
  ATRIUM_LIMIT_KEY_REQUESTS_A_MINUTE: bound(600, 1, 10_000_000),
  ATRIUM_LIMIT_SHARE_PERCENT: bound(8, 1, 100),
  ATRIUM_LIMIT_SIGN_UPS_AN_HOUR: bound(60, 0, 1_000_000),
  ATRIUM_LIMIT_MAILS_A_MINUTE: bound(60, 1, 100_000),
  ATRIUM_LIMIT_STREAMS_PER_USER: bound(64, 1, 100_000),
  ATRIUM_LIMIT_ASSISTANTS_PER_USER: bound(200, 1, 100_000),
  ATRIUM_LIMIT_OWN_TOOLS_PER_USER: bound(300, 1, 10_000),
  ATRIUM_LIMIT_ASSISTANT_VERSIONS: bound(200, 1, 10_000),
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
  ATRIUM_LIMIT_PICTURE_KB: bound(512, 1, 16_384),
  ATRIUM_LIMIT_TOOLS_PER_USER: bound(10, 1, 10_000),
  ATRIUM_MAX_UPLOAD_MB: bound(500, 1, 10_000_000),
  ATRIUM_MIN_FREE_MB: bound(500, 0, 10_000_000),
  ATRIUM_LIMIT_PAGES: bound(5_000, 1, 1_000_000),
  ATRIUM_LIMIT_ROWS: bound(200_000, 1, 10_000_000),
  ATRIUM_LIMIT_UNPACKED_MB: bound(1_000, 1, 1_000_000),
  ATRIUM_LIMIT_READER_MB: bound(2_000, 128, 1_000_000),
  ATRIUM_LIMIT_L1_PASSAGES: bound(50_000, 1, 10_000_000),
  ATRIUM_LIMIT_READING_SECONDS: bound(3_600, 10, 1_000_000),
  ATRIUM_LIMIT_RERANK_SECONDS: bound(10, 1, 25),
  ATRIUM_LIMIT_KEPT_MODEL_DAYS: bound(14, 1, 3_650),
  ATRIUM_LIMIT_MODEL_MB: bound(1_500, 1, 2_000),
  ATRIUM_LIMIT_CHAT_MODEL_MB: bound(6_000, 1, 1_000_000),
  ATRIUM_LOCAL_MODEL_MB: bound(halfOfMemory, 256, 10_000_000),
  ATRIUM_LOCAL_MODEL_TOKENS: bound(8_192, 512, 1_000_000),
  ATRIUM_LIMIT_WEB_PAGES: bound(8, 1, 50),
  ATRIUM_LIMIT_RESEARCH_SEARCHES: bound(12, 1, 60),
  ATRIUM_LIMIT_RESEARCH_MINUTES: bound(20, 1, 50),
  ATRIUM_LIMIT_RESEARCH_DOLLARS: bound(5, 1, 1_000),
  ATRIUM_LIMIT_WEB_PAGE_KB: bound(4_096, 16, 1_000_000),
  ATRIUM_LIMIT_WEB_SECONDS: bound(12, 1, 100),
  ATRIUM_WEB_CACHE_HOURS: bound(24, 0, 10_000),
  ATRIUM_LIMIT_CODE_AT_ONCE: bound(4, 1, 1_000),
  ATRIUM_LIMIT_CODE_SECONDS: bound(60, 1, 3_600),
  ATRIUM_LIMIT_CODE_MB: bound(1_024, 64, 1_000_000),
  ATRIUM_LIMIT_CODE_FILES_MB: bound(128, 1, 100_000),
  ATRIUM_LIMIT_CODE_TRIAL_SECONDS: bound(5, 0, 86_400),
  ATRIUM_LIMIT_IMAGE_MB: bound(20, 1, 60),
  ATRIUM_LIMIT_READ_PASSAGES: bound(20_000, 1, 200_000),
  ATRIUM_LIMIT_READ_TOKENS: bound(100_000, 0, 1_000_000_000),
}
