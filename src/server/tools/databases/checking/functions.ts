import type { DatabaseKind } from '#shared/tools/databases/databases.ts'

// Only these functions may be called. None of them reads files, sleeps, locks, changes a setting or connects elsewhere.
const words = (text: string) => text.split(/\s+/).filter((word) => word !== '')

const everywhere = words(`
  abs avg ceil ceiling coalesce concat count cume_dist dense_rank exp first_value floor lag last_value lead length ln log
  log10 lower ltrim max min mod nth_value ntile nullif percent_rank power rank replace round row_number rtrim sign sqrt
  substr substring sum trim upper degrees radians sin cos tan asin acos atan atan2 pi concat_ws exists`)

const postgres = words(`
  age array_agg array_length array_position array_to_string ascii bit_length bool_and bool_or btrim cardinality cbrt
  char_length character_length chr clock_timestamp corr covar_pop covar_samp date_bin date_part date_trunc div every extract
  format generate_series greatest initcap json_agg json_array_elements json_array_elements_text json_array_length
  json_build_object json_extract_path json_extract_path_text json_object_agg json_typeof jsonb_agg jsonb_array_elements
  jsonb_array_elements_text jsonb_array_length jsonb_build_object jsonb_extract_path jsonb_extract_path_text jsonb_object_agg
  jsonb_typeof justify_days justify_hours justify_interval least left lpad make_date make_interval make_time make_timestamp
  make_timestamptz md5 mode now numnode overlaps overlay percentile_cont percentile_disc position random regexp_count
  regexp_like regexp_match regexp_replace regexp_split_to_array regexp_substr regr_intercept regr_r2 regr_slope repeat reverse
  right row_to_json rpad split_part starts_with statement_timestamp stddev stddev_pop stddev_samp string_agg string_to_array
  strpos timezone to_char to_date to_json to_jsonb to_number to_timestamp transaction_timestamp translate trunc unnest
  var_pop var_samp variance width_bucket isfinite factorial gcd lcm scale to_hex like_escape similar_to_escape`)

const mysql = words(`
  adddate addtime any_value ascii bin bit_and bit_or bit_xor cast char char_length character_length conv convert convert_tz
  cot crc32 curdate current_date current_time current_timestamp curtime date date_add date_format date_sub datediff day dayname
  dayofmonth dayofweek dayofyear elt export_set extract field find_in_set format from_days from_unixtime greatest
  group_concat hex hour if ifnull insert_at instr isnull json_arrayagg json_contains json_extract json_keys json_length
  json_objectagg json_type json_unquote json_value last_day lcase least left locate log2 lpad makedate maketime md5 microsecond
  mid minute month monthname now period_add period_diff position pow quarter quote rand regexp_instr regexp_like regexp_replace
  regexp_substr repeat reverse right rpad sec_to_time second space std stddev stddev_pop stddev_samp str_to_date strcmp
  subdate substring_index subtime sysdate time time_format time_to_sec timediff timestamp timestampadd timestampdiff to_days
  to_seconds truncate ucase unix_timestamp utc_date utc_time utc_timestamp var_pop var_samp variance week weekday weekofyear
  year yearweek`)

const sqlite = words(`
  cast char date datetime format glob group_concat hex iif ifnull instr json_array_length json_each json_extract json_type
  json_group_array json_group_object julianday like mod nullif pow printf quote random soundex strftime string_agg
  time timediff total trunc typeof unicode unixepoch`).filter((name) => name !== 'json_each')

const perKind: Record<DatabaseKind, ReadonlySet<string>> = {
  postgres: new Set([...everywhere, ...postgres]),
  mysql: new Set([...everywhere, ...mysql]),
  sqlite: new Set([...everywhere, ...sqlite]),
}

export const isAllowedFunction = (kind: DatabaseKind, name: string) => perKind[kind].has(name.toLowerCase())

/** Types that a value may be cast to in PostgreSQL. Others, such as regclass, look up objects of the database. */
export const postgresTypes: ReadonlySet<string> = new Set(
  words(`bool boolean int2 int4 int8 smallint integer bigint numeric decimal float4 float8 real text varchar bpchar char date
  time timetz timestamp timestamptz interval uuid json jsonb`),
)

/** Operators of PostgreSQL that a query may use. */
export const postgresOperators: ReadonlySet<string> = new Set(
  words(
    `= <> != < > <= >= + - * / % ^ || |/ ~ ~* !~ !~* ~~ !~~ ~~* !~~* & | # << >> -> ->> #> #>> @> <@ ? ?| ?& &&`,
  ),
)
