-- When calls that leave the house need the approval of a person of this company; `ask` is when text of others was read.
alter table companies add column outward_calls text not null default 'ask' check (outward_calls in ('strict', 'ask', 'off'));

-- What was allowed for the rest of a chat is found by it.
create index input_requests_allowed on input_requests (session_id) where state = 'answered';
