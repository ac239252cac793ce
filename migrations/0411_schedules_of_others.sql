-- The text of a schedule that was taken over is someone else's, as that of an assistant that was taken over (0290).
alter table schedules add column is_by_others boolean not null default false;
