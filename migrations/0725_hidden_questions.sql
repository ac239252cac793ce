-- A question that not everyone in its channel may read is not shown there: it waits in the product.
alter table channel_posts add column is_hidden boolean not null default false;
