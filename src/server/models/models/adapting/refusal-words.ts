/**
 * Wordings of refusals. A sentence is recognized by its subject near a negation, not by its exact words: proxies rewrite and wrap
 * sentences and translate status codes, but keep the nouns.
 */
const NOT =
  /not (?:yet )?(?:be )?(?:support|enabl|allow|permit|available|accept|implement|a multi|been enabled)|n['’]t (?:support|have|accept|allow)|unsupported|no endpoints? found|cannot|can['’]t|unknown|unexpected|unrecognized|invalid|requires?|only .{0,60}(?:are|is) supported|extra inputs|without|disabled|no support|at most 0|ne prend pas en charge|ne sont pas pris|\u4e0d\u652f\u6301|\u4e0d\u5141\u8bb8/i

/** Returns whether a sentence refuses `subject` within a few words. */
function refuses(said: string, subject: RegExp): boolean {
  for (const found of said.matchAll(subject)) {
    const around = said.slice(Math.max(0, found.index - 90), found.index + found[0].length + 90)
    if (NOT.test(around)) return true
  }
  return false
}

const TOOLS =
  /\btools?\b(?![_ -]?(?:choice|call_id|use_id|results?|name))|\btool[ _-]?(?:use|call(?:s|ing)?)\b(?!\.?_?id)|function[ _-]?call(?:s|ing)?\b|\bfunctions\b|tool-call-parser|\boutils?\b|\u5de5\u5177|\u51fd\u6570\u8c03\u7528/gi
/** Wordings about one tool, one call or one parameter rather than tools as such. */
const ONE_TOOL =
  /schema|parameters\b(?! ?\[?.?tools)|input_schema|function_declarations?\[|tools[.[]\d|parallel.?tool|tool.?call.?id|tool_use_id|tool_choice (?:type|must)|single tool|failed to call|parsing tool|parse tool|tool call validation|tool_use_failed|too (?:many|long)|maximum (?:length|number)|ids? (?:were|was) found|must be followed|must be a response|corresponding|immediately after|when tools (?:is|are)\b/i
/** Proxies name the parameter: `does not support parameters: ['tools']`. */
const NAMED_PARAMETER =
  /(?:not support|unsupported|unrecognized|unknown|unexpected).{0,40}(?:parameters?|arguments?|field|property)[^a-z]{1,12}(?:supplied: ?)?['"`]?tools\b|\btools: extra inputs/i
const NEEDS_FLAG = /--jinja|--enable-auto-tool-choice|tool-call-parser/i

/** Sampling parameters in the spelling of any provider. */
const PARAMETERS: Record<string, RegExp> = {
  temperature: /\btemperature\b/gi,
  top_p: /\btop_?p\b/gi,
  top_k: /\btop_?k\b/gi,
  stop: /\bstop_?sequences?\b/gi,
  seed: /\bseed\b/gi,
  presence_penalty: /\bpresence_?penalty\b/gi,
  frequency_penalty: /\bfrequency_?penalty\b/gi,
  effort: /\beffort\b/gi,
}

/** Returns whether a sentence refuses a sampling parameter. */
export const refusesParameter = (said: string, name: string): boolean => {
  const parameter = PARAMETERS[name]
  if (!parameter) return false
  return refuses(said, parameter) || (/deprecated|extraneous/i.test(said) && said.search(parameter) >= 0)
}

const SIGNATURE = /thought.?signature/i
export const saysNoTools = (said: string): boolean =>
  NEEDS_FLAG.test(said) ||
  /roles? .{0,40}got ['"`]?tool/i.test(said) ||
  NAMED_PARAMETER.test(said) ||
  (!ONE_TOOL.test(said) && !SIGNATURE.test(said) && refuses(said, TOOLS))

export const saysNoImages = (said: string): boolean =>
  refuses(
    said,
    /image(?:_url|s)?\b|vision|multi-?modal|input_image|inline_?data|mmproj|content part type|\u56fe[\u7247\u50cf]|\u89c6\u89c9/gi,
  ) ||
  /content.{0,40}(?:must be|should be|expected|valid) (?:a )?string|valid string.{0,20}content|invalid (?:type|value).{0,10}(?:sequence|array|list)|unmarshal array into .{0,60}content|at most 0 image|not (?:a )?multi-?modal|only (?:accepts?|supports?|takes?) text|only text (?:content|input|messages?)|other than text|content to be a string/i.test(
    said,
  )

export const saysNoSystem = (said: string): boolean =>
  refuses(
    said,
    /(?:system|developer) (?:role|prompt|message|instruction)s?|role:? ?['"`]?(?:system|developer)|\u7cfb\u7edf(?:\u89d2\u8272|\u6d88\u606f|\u63d0\u793a)/gi,
  ) ||
  /got system|value:? ['"`](?:system|developer)|role.{0,4} does not support.{0,4}(?:system|developer)|roles? (?:are|is) supported.{0,20}system|['"`]system['"`]? (?:is|role)/i.test(
    said,
  )

/** The sentence lists the roles that are accepted, and instructions are none of them. */
export const listsRoles = (said: string): boolean =>
  /(?:must be|should be|one of|only|expected|accepts?|supports?|supported|allowed)\W.{0,20}\buser\W{1,6}(?:and|or)?\W{0,3}assistant/i.test(
    said,
  ) && !/system|developer|alternat|got ['"`]?tool/i.test(said)

export const saysAlternate = (said: string): boolean =>
  /must alternate|roles? .{0,20}alternat|alternate (?:between )?user|consecutive .{0,30}(?:message|role|user)|same role|expected last role|(?:last|final) (?:message|turn) .{0,20}(?:must|should) .{0,20}user|assistant messages? at the end|(?:prefill|ends? with .{0,20}assistant)|first message must|start with .{0,20}user|unexpected role .{0,12} after role|function call turn|function response turn/i.test(
    said,
  )

/** The template that writes the request as a prompt failed. It seldom says over what. */
export const saysTemplateFailed = (said: string): boolean =>
  /\b(?:jinja|minja)|raise_exception|template.error|\bat row \d{1,5}, column \d|(?:chat|prompt).?template.{0,60}(?:error|fail|exception)|(?:error|fail|exception).{0,60}(?:chat|prompt).?template/i.test(
    said,
  )

export const saysSingleCalls = (said: string): boolean =>
  /single tool.?calls? at once|only one tool call/i.test(said)

export const saysToolIds = (said: string): boolean =>
  /tool.?call.?id|call_id|tool_use_id|tool_use\.id|tool_calls?.{0,20}\.id/i.test(said) &&
  /pattern|length|must be|must match|invalid|too long|should match|duplicate|unique/i.test(said)

export const wantsThoughts = (said: string): boolean =>
  /reasoning_content|thinking is enabled/i.test(said) &&
  /missing|must be (?:passed|provided|included|present)|required|pass(?:ed)? back|is necessary/i.test(said)

export const refusesThoughts = (said: string): boolean =>
  /signature.{0,20}thinking|thinking.{0,40}signature|(?:thinking|redacted_thinking).{0,60}(?:cannot be modified|invalid|expected)|encrypted_content.{0,40}(?:could not|invalid|verif)/i.test(
    said,
  )

export const refusesSignature = (said: string): boolean =>
  SIGNATURE.test(said) && /invalid|not valid|corrupt|unknown|cannot find/i.test(said)

/** The model wrote a tool call that its server could not read. A retry often works. */
export const saysUnreadableCall = (said: string): boolean =>
  /failed to call a function|tool_use_failed|failed_generation|malformed|pars(?:ing|e) tool.?call|tool call validation failed|attempted to call tool|parse (?:the )?(?:function|model output|input at pos)|invalid tool call/i.test(
    said,
  )

/** The provider's content rules refuse the request. */
export const saysFiltered = (said: string): boolean =>
  /content[ _-]?(?:filter|policy|moderation|management)|moderation|flagged|responsibleai|safety (?:system|filter|polic|setting)|prohibited_content|data_?inspection|blocklist|guardrail/i.test(
    said,
  )

/** Lengths of strings and lists rather than of a conversation. */
const OTHER_LENGTHS =
  /(?:array|string|list|name|description|id|url|value) (?:is )?too long|maximum number of (?:items|tools)|output limit was reached|image(?! and text)/i
const CONTEXT =
  /max_(?:seq|model|context|input)_len|(?:prompt|input|request|messages?) .{0,30}\d tokens.{0,40}(?:only |supports?|at most)|no user query found|context.{0,3}(?:length|window|size|limit)|n_ctx|(?:prompt|input|request|conversation|messages?|text)s? (?:is |are )?(?:too (?:long|large)|longer than)|(?:maximum|max)[ _](?:allowed )?(?:prompt|input|model|sequence|context|total)[ _](?:length|len|tokens)|too many (?:input )?tokens|tokens? .{0,60}(?:exceed|must be|greater than|larger than|too large|limit)|exceed.{0,60}(?:tokens?|context)|`?inputs?`?(?: tokens)? .{0,40}(?:must|exceed)|longer than the (?:model|maximum)|reduce the length|n_keep|maximum number of (?:input )?tokens|token limit|length is \d+ while limit|sequence length.{0,20}(?:longer|greater|exceed)|range of input length|tokens_limit_reached|exceeds? (?:the )?max(?:imum)? (?:input )?length|input_tokens_exceeded|\u8d85\u957f|\u4e0a\u4e0b\u6587\u957f\u5ea6|\u8f93\u5165\u957f\u5ea6|too long.{0,12}(?:prompt|input)|zu lang\b|trop long/i
/** The sentence limits the parameter itself, whatever it says about the window after that. */
const OUTPUT_FIRST =
  /^\W{0,3}max(?:_completion|_output|_new)?_tokens\W{0,3} (?:must|should) be (?:less than|at most|no more|smaller|<)/i
/** Wordings about the answer only. */
const OUTPUT =
  /max(?:imum)?[_ ]?(?:completion|output|new)?[_ ]?tokens|output tokens|completion tokens|maxOutputTokens/i

export const saysTooLong = (said: string): boolean =>
  said.includes('context_length_exceeded') ||
  (CONTEXT.test(said) && !OTHER_LENGTHS.test(said) && !saysOutputLimit(said))

/** The requested answer exceeds the output limit of the model. */
export const saysOutputLimit = (said: string): boolean =>
  OUTPUT_FIRST.test(said) ||
  (OUTPUT.test(said) &&
    /greater|less than|<=|>|at most|maximum|too (?:large|big|high)|exceed|range|larger|invalid|supports?/i.test(
      said,
    ) &&
    !/context|prompt|inputs\b|messages|not supported|unsupported|unrecognized|instead|rate|per min|number of tokens allowed|input (?:tokens?|length)/i.test(
      said,
    ))

/** Words of any failure, such as "cannot reach the tool server". A capability that a model lacks is said more firmly. */
const VAGUE =
  /\b(?:cannot|can['’]t)\b(?! (?:use|accept|take|support)\b)|\b(?:unknown|unexpected|unrecognized|invalid|requires?|without)\b/gi

/** Returns a sentence as it is read for lacking capabilities. A server error must not teach one by a vague word. */
export const saidOfCapability = (said: string, status: number | undefined): string =>
  (status ?? 0) >= 500 ? said.replaceAll(VAGUE, '…') : said

/** Returns whether a request can be sent again in another form. A server that says this with status 500 is not broken. */
export const isAnswerable = (said: string): boolean =>
  [saysNoTools, saysNoImages, saysNoSystem].some((says) => says(saidOfCapability(said, 500))) ||
  [
    ...[saysTooLong, listsRoles, saysAlternate, saysSingleCalls, saysToolIds, wantsThoughts],
    ...[saysUnreadableCall, saysOutputLimit, saysTemplateFailed],
  ].some((says) => says(said))

/** Wordings that name the window, the most reliable first. */
const WINDOWS = [
  /\d ?tokens? ?> ?(\d{1,3}(?:[,_.]\d{3})+|\d+)/i,
  /\d ?> ?(\d{1,3}(?:[,_.]\d{3})+|\d+)/i,
  /n_ctx\D{0,6}(\d{1,3}(?:[,_.]\d{3})+|\d+)/i,
  /context.{0,3}(?:length|window|size|limit)\D{0,30}(\d{1,3}(?:[,_.]\d{3})+|\d+)/i,
  /range of input length\D{0,20}\d{1,9}, ?(\d{1,9})/i,
  /\u957f\u5ea6\D{0,10}(\d{3,9})/,
  /max(?:imum)?[ _](?:allowed )?(?:prompt|input|model|sequence|total)[ _](?:length|len|tokens)\D{0,20}(\d{1,3}(?:[,_.]\d{3})+|\d+)/i,
  /(?:limit|allowed|maximum|at most|cannot exceed|<=|less than|up to|model with)\D{0,20}(\d{1,3}(?:[,_.]\d{3})+|\d+)/i,
]

/** Returns the window in tokens that a refusal names; null when it names none. */
export function readWindow(said: string): number | null {
  for (const window of WINDOWS) {
    const found = window.exec(said)?.[1]
    const tokens = found ? toNumber(found) : 0
    if (tokens >= 256 && tokens <= 20_000_000) return tokens
  }
  const numbers = numbersIn(said).filter((tokens) => tokens >= 256)
  return numbers.length > 0 ? Math.min(...numbers) : null
}

/** Returns the largest number below `asked` in a refusal, which is the output limit of the model; null without one. */
export function readOutputLimit(said: string, asked: number): number | null {
  const below = numbersIn(said).filter((tokens) => tokens >= 16 && tokens < asked)
  return below.length > 0 ? Math.max(...below) : null
}

/** Returns the longest answer that the remaining credit pays for; null when a refusal names none, or one that is too short. */
export const readCredit = (said: string): number | null =>
  atLeastSome(toNumber(/\bafford (?:up to |at most |only )?(\d[\d,_.]*)/i.exec(said)?.[1] ?? '0'))

/** Returns the longest answer that fits the window after this request; null when a refusal names none, or one that is too short. */
export function readRoom(said: string): number | null {
  const sum = /(?<![\d,_.])(\d[\d,_.]*) \+ \d[\d,_.]* > (\d[\d,_.]*)/.exec(said)
  if (sum) return atLeastSome(toNumber(sum[2] ?? '') - toNumber(sum[1] ?? ''))
  const rest = /> (\d[\d,_.]*) ?[-−] ?(\d[\d,_.]*)/.exec(said)
  if (rest) return atLeastSome(toNumber(rest[1] ?? '') - toNumber(rest[2] ?? ''))
  const input =
    /(?<![\d,_.])(\d[\d,_.]*) (?:tokens? )?(?:(?:in|of|from) (?:the |your |text )?(?:messages|prompt|input)|`?(?:inputs?|prompt)`? tokens)/i.exec(
      said,
    )
  return input && atLeastSome((readWindow(said) ?? 0) - toNumber(input[1] ?? ''))
}

const atLeastSome = (tokens: number) => (tokens >= MIN_ANSWER ? tokens : null)

/** Returns how many tools a refusal says are accepted, otherwise half of them; null when it is about something else. */
export function readToolLimit(said: string, asked: number): number | null {
  if (!/tools|function_?declarations?|functions/i.test(said)) return null
  if (!/too (?:many|long)|at most|maximum|exceed|limit/i.test(said)) return null
  if (/description|name'|schema|tools\[\d+\]|tools\.\d+\./i.test(said)) return null
  const below = numbersIn(said).filter((count) => count > 0 && count < asked)
  return below.length > 0 ? Math.max(...below) : Math.max(1, Math.floor(asked / 2))
}

/** A shorter answer, in tokens, is useless. */
const MIN_ANSWER = 200

const toNumber = (text: string) => Number(text.replaceAll(/[,_.]/g, ''))
const numbersIn = (said: string) =>
  [...said.matchAll(/\d{1,3}(?:[,_.]\d{3})+|\d+/g)].map(([text]) => toNumber(text))
