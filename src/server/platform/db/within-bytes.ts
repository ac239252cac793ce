import { type RawBuilder, sql } from 'kysely'

/** Maximum bytes of rows that a list reads in one query, as PostgreSQL encodes them. */
const LIST_BYTES = 2_000_000

/** Returns the first rows of a page up to the byte limit, in page order, and at least one. The limit applies before rows are read. */
export function withinBytes<Row>(page: RawBuilder<Row>): RawBuilder<Row> {
  return sql<Row>`
    select * from (
      select page.*, row_number() over () as place,
        sum(octet_length(page::text)) over (rows unbounded preceding) as bytes
      from (${page}) as page
    ) as sized
    where place = 1 or bytes <= ${LIST_BYTES} order by place`
}
