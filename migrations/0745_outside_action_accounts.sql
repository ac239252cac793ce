-- The kind of account that a call acted with. What one service prepared says nothing about another. Null for calls before this version.
alter table outside_actions add column if not exists kind text;
-- Null until something was prepared.
alter table outside_actions alter column handle drop not null;
