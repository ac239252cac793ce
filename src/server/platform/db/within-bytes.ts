import { type RawBuilder, sql } from 'kysely'

/** Bytes of rows that a list reads at once, as PostgreSQL writes them. */
const LIST_BYTES = 2_000_000

/** The first rows of a page that have so many bytes together, in its order, and at least one: decided before any is read. */
export function withinBytes<Row>(page: RawBuilder<Row>): RawBuilder<Row> {
  return sql<Row>`
    select * from (
      select page.*, row_number() over () as place,
        sum(octet_length(page::text)) over (rows unbounded preceding) as bytes
      from (${page}) as page
    ) as sized
    where place = 1 or bytes <= ${LIST_BYTES} order by place`
}
