-- A person lets those who run Atrium see the question and the passages of a reply they judged.
alter table feedback add column is_shown boolean not null default false;
create index feedback_shown on feedback (changed_at desc) where is_shown;
