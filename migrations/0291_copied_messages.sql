-- Whether somebody other than the owner of the chat has written a message: it was copied from a shared chat. Copies keep the time of
-- the original, which is before the chat.
alter table messages add column is_by_others boolean not null default false;
update messages m set is_by_others = true from sessions s where s.id = m.session_id and m.created_at < s.created_at;
